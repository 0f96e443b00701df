from datetime import UTC, datetime

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from reservations.domain.period import Period, UnableToReadTime, floor_hour, read_instant
from reservations.selectors.pools import UnableToFindPool, pool_named, pool_rows
from reservations.tables.writing import FORMATS, csv_text, json_text
from telemetry.domain.replacement import OVERTAKEN
from telemetry.services.collection import CollectionReport, collect_hours


class Command(BaseCommand):
    help = "Compute the ledger hours of a period from their metrics sources; safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--from", dest="start", required=True, help="first hour, like 2026-11-01T00:00Z")
        parser.add_argument("--to", dest="end", required=True, help="end of the last hour, exclusive")
        parser.add_argument("--pool", help="only this pool")
        parser.add_argument("--force", action="store_true", help="replace final hours and other sources' hours too")
        parser.add_argument("--format", choices=FORMATS, default="table")

    def handle(self, *args: object, **options: object) -> None:
        now = datetime.now(UTC)
        period = _period(str(options["start"]), str(options["end"]), now)
        pools = _pools(options["pool"])
        console = Console(stderr=True)
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
        ) as progress:
            task = progress.add_task("pool hours", total=len(pools) * len(list(period.hours())))
            report = collect_hours(
                pool_ids=pools,
                period=period,
                as_of=now,
                force=bool(options["force"]),
                advance=lambda hours: progress.advance(task, hours),
            )
        self._show(report, str(options["format"]))
        for problem, times in report.problems.items():
            self.stderr.write(f"{problem} ({times} pool hours)")
        # Whoever read an hour later than this has left the better row.
        bad = report.counts["failed"] + report.counts["refused"] - report.problems.get(OVERTAKEN, 0)
        if bad:
            raise CommandError(f"{bad} of {report.counts.total()} pool hours were not stored")

    def _show(self, report: CollectionReport, wanted: str) -> None:
        counts = {name: report.counts[name] for name in ("stored", "unchanged", "refused", "failed")}
        if wanted == "json":
            self.stdout.write(json_text({**counts, "problems": report.problems}))
        elif wanted == "csv":
            self.stdout.write(csv_text([counts], list(counts)))
        else:
            self.stdout.write(", ".join(f"{count} {name}" for name, count in counts.items()))


def _period(start: str, end: str, now: datetime) -> Period:
    try:
        first, last = read_instant(start), read_instant(end)
    except UnableToReadTime as error:
        raise CommandError(str(error)) from error
    if first != floor_hour(first) or last != floor_hour(last):
        raise CommandError("--from and --to must be whole hours")
    if last <= first:
        raise CommandError("--to must come after --from")
    if last > now:
        raise CommandError(f"--to lies in the future: the last hour that has ended ends at {floor_hour(now):%FT%RZ}")
    return Period(first, last)


def _pools(name: object) -> list[int]:
    if not name:
        if pools := [pool.id for pool in pool_rows()]:
            return pools
        raise CommandError("there is no pool yet: describe one in a file for apply_config")
    try:
        return [pool_named(str(name)).id]
    except UnableToFindPool as error:
        raise CommandError(str(error)) from error
