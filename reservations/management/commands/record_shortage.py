from datetime import UTC, date

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from reservations.domain.break_even import Shortage
from reservations.domain.shortage import ESTIMATE_DAYS, UnableToEstimate
from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.services.configuration.shortage_text import UnableToReadShortage, shortage_told
from reservations.services.shortage import record_shortage


class Command(BaseCommand):
    help = "Record how often a launch without the reservation fails (q) and what that costs (L), from a day on."

    def add_arguments(self, parser: CommandParser) -> None:
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--pool", metavar="NAME")
        whose.add_argument("--shape", metavar="TYPE", help="instance type")
        parser.add_argument("--from", dest="start", metavar="DAY", help="first UTC day it holds; without it, today")
        parser.add_argument("--to", dest="end", metavar="DAY", help="first UTC day it no longer holds")
        chance = parser.add_mutually_exclusive_group()
        chance.add_argument("--fail-probability", metavar="Q", help="0 to 1; without it, estimated from launches")
        chance.add_argument(
            "--count-days",
            type=int,
            default=ESTIMATE_DAYS,
            metavar="N",
            help="of so many days before today (%(default)s)",
        )
        parser.add_argument("--shortage-cost", required=True, metavar="L", help="per node-hour")
        parser.add_argument("--currency", required=True)
        parser.add_argument("--convention", required=True, choices=[one.value for one in Shortage])
        parser.add_argument("--source", default="")
        parser.add_argument("--by", default="record_shortage", help="who enters it")

    def handle(self, *args: object, **options: object) -> None:
        today: date = timezone.now().astimezone(UTC).date()
        pool, shape = options["pool"], options["shape"]
        try:
            if pool is not None:
                pool_named(str(pool))
            told = shortage_told(
                {
                    "pool": pool,
                    "shape": shape,
                    "from": options["start"] or today.isoformat(),
                    "to": options["end"],
                    "fail_probability": options["fail_probability"] or "0",
                    "shortage_cost": options["shortage_cost"],
                    "currency": options["currency"],
                    "convention": options["convention"],
                    "source": options["source"] or None,
                },
                count_days=None if options["fail_probability"] else _days(options["count_days"]),
            )
            changes = record_shortage(
                pool=None if pool is None else str(pool),
                shape=None if shape is None else str(shape),
                told=told,
                recorded_on=today,
                entered_by=str(options["by"]),
            )
        except (UnableToFindPool, UnableToReadShortage, UnableToEstimate) as unable:
            raise CommandError(str(unable)) from unable
        for change in changes:
            self.stdout.write(f"{change.outcome}: {change.name}")


def _days(days: object) -> int:
    if not isinstance(days, int) or not 1 <= days <= 3660:
        raise CommandError(f"--count-days is {days}: give a number of days from 1 to 3660")
    return days
