from datetime import UTC, datetime

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reservations.domain.period import UnableToReadTime, read_instant
from reservations.tables.writing import FORMATS, csv_text, json_text
from telemetry.services.sync import RegionResult, SyncReport, sync_reservations


class Command(BaseCommand):
    help = "Ask every configured account and region what it holds, and store what this instant showed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as-of", help="the instant it is stored under, like 2026-11-01T00:05Z; default now")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: object) -> None:
        report = sync_reservations(as_of=_instant(options["as_of"]))
        if not report.regions:
            raise CommandError("no account has a region to ask: describe accounts in a file for apply_config")
        {"json": self._json, "csv": self._csv, "table": self._table}[str(options["format"])](report)
        for sentence in _warnings(report):
            self.stderr.write(sentence)
        if failed := report.failed:
            raise CommandError(f"{len(failed)} of {len(report.regions)} regions not read: {failed[0].error}")

    def _json(self, report: SyncReport) -> None:
        content = {
            "as_of": report.as_of,
            "regions": [{**_row(region), "degraded": dict(region.degraded)} for region in report.regions],
            "appeared": report.sweeps.appeared,
            "vanished": report.sweeps.vanished,
            "resized": [
                {"reservation": one.external_id, "before": one.before, "after": one.after}
                for one in report.sweeps.resized
            ],
            "assigned": report.assignment.changed,
            "unassigned": report.assignment.refused,
            "remarks": report.assignment.remarks,
        }
        self.stdout.write(json_text(content))

    def _csv(self, report: SyncReport) -> None:
        rows = [_row(region) for region in report.regions]
        self.stdout.write(csv_text(rows, list(rows[0])))

    def _table(self, report: SyncReport) -> None:
        width = max(len(region.account) for region in report.regions)
        for row in map(_row, report.regions):
            self.stdout.write(f"{row['account']:<{width}}  {row['region']:<14}  {row['status']:<8}  {row['seen']:>4}")
        sweeps = report.sweeps
        resized = [f"{one.external_id} {_count(one.before)} → {_count(one.after)}" for one in sweeps.resized]
        for name, found in (("appeared", sweeps.appeared), ("vanished", sweeps.vanished), ("resized", resized)):
            self.stdout.write(f"{name}: {', '.join(found) or 'none'}")
        for sentence in report.assignment.changed:
            self.stdout.write(sentence)


def _instant(text: object) -> datetime:
    now = datetime.now(UTC)
    if not text:
        return now
    try:
        as_of = read_instant(str(text))
    except UnableToReadTime as error:
        raise CommandError(f"--as-of: {error}") from error
    if as_of > now:
        raise CommandError(f"--as-of {text} lies in the future: nothing can have been seen then yet")
    return as_of


def _row(region: RegionResult) -> dict[str, object]:
    status = "failed" if not region.complete else "degraded" if region.degraded else "complete"
    return {
        "account": region.account,
        "region": region.region,
        "status": status,
        "seen": region.seen,
        "error_code": region.error_code,
        "error": region.error,
    }


def _warnings(report: SyncReport) -> list[str]:
    """Everything to mend but the first failure, which ends the command."""
    degraded = [sentence for region in report.regions for sentence in region.degraded.values()]
    assignment = report.assignment
    return [*(region.error for region in report.failed[1:]), *degraded, *assignment.refused, *assignment.remarks]


def _count(instances: int | None) -> str:
    return "unknown" if instances is None else str(instances)
