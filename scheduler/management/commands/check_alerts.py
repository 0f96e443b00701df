from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from reservations.domain.notation import instant
from reservations.domain.period import UnableToReadTime
from reservations.tables.writing import FORMATS, csv_text, json_text, table_text
from scheduler.management.periods import instant_asked
from scheduler.services.alerts import Changed, Checked, UnableToCheck, check_alerts

COLUMNS = ("turn", "rule", "object", "severity", "since", "summary", "cause")


class Command(BaseCommand):
    help = "Ask every alert rule about an instant: what opens, what is resolved, and which messages that owes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--as-of", help="YYYY-MM-DD in the accounting zone, or an instant; now without it")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: Any) -> None:
        now = timezone.now()
        try:
            as_of = instant_asked(options["as_of"], now)
        except UnableToReadTime as unable:
            raise CommandError(str(unable)) from unable
        try:
            checked = check_alerts(as_of=as_of, made_at=now)
        except UnableToCheck as unable:
            raise CommandError(str(unable)) from unable
        self.stdout.write(_written(checked, options["format"]), ending="")
        if not checked.evaluated:
            self.stderr.write(f"{instant(as_of)} is not after the newest evaluation: nothing was changed")
        if checked.failed:
            told = "; ".join(f"{rule}: {why}" for rule, why in sorted(checked.failed.items()))
            raise CommandError(f"rules that failed, whose alerts stayed as they were: {told}")


def _written(checked: Checked, form: str) -> str:
    if form == "json":
        return json_text(_told(checked)) + "\n"
    rows = [
        {"turn": turn, **_row(one)}
        for turn, changed in (("opened", checked.opened), ("resolved", checked.resolved))
        for one in changed
    ]
    if form == "csv":
        return csv_text(rows, COLUMNS)
    table = table_text(rows, COLUMNS) if rows else ""
    return f"{table}{checked.open} open, {checked.deliveries} messages now owed\n"


def _told(checked: Checked) -> dict[str, object]:
    return {
        "as_of": checked.as_of,
        "opened": [_row(one) for one in checked.opened],
        "resolved": [_row(one) for one in checked.resolved],
        "open": checked.open,
        "deliveries": checked.deliveries,
        "failed": dict(checked.failed),
    }


def _row(one: Changed) -> dict[str, str | datetime]:
    return {
        "rule": one.rule,
        "object": one.object,
        "severity": one.severity.value,
        "since": one.since,
        "summary": one.summary,
        "cause": one.cause,
    }
