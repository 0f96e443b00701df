from collections import Counter
from datetime import UTC
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from reservations.domain.csv_file import UnableToReadFile
from reservations.domain.launch_file import COLUMNS, MOST_BYTES
from reservations.services.launch_import import import_launches


class Command(BaseCommand):
    help = "Bring in how many launches failed for want of capacity from a CSV file, whole or not at all."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help=f"CSV with a header of {', '.join(COLUMNS)}")
        parser.add_argument("--dry-run", action="store_true", help="say what would change and store nothing")

    def handle(self, *args: object, file: Path, dry_run: bool, **options: object) -> None:
        try:
            with file.open("rb") as source:
                data = source.read(MOST_BYTES + 1)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        today = timezone.now().astimezone(UTC).date()
        try:
            done = import_launches(data=data, today=today, dry_run=dry_run)
        except UnableToReadFile as unable:
            raise CommandError("\n".join(map(str, unable.faults))) from unable
        counts = Counter(one.outcome for one in done)
        told = ", ".join(f"{many} {outcome}" for outcome, many in sorted(counts.items()))
        self.stderr.write(f"{told}{': nothing was stored' if dry_run else ''}")
