from collections import Counter
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from reservations.domain.reservation_file import MOST_BYTES, UnableToReadFile
from reservations.selectors.organisation import accounting_zone
from reservations.services.reservation_import import import_reservations


class Command(BaseCommand):
    help = "Bring in reservations from a CSV file, whole or not at all; known by provider and id, so safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="CSV with a header; the import page has a template")
        parser.add_argument("--dry-run", action="store_true", help="say what would change and store nothing")

    def handle(self, *args: object, file: Path, dry_run: bool, **options: object) -> None:
        try:
            with file.open("rb") as source:
                data = source.read(MOST_BYTES + 1)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        try:
            done = import_reservations(
                data=data,
                zone=accounting_zone(),
                as_of=timezone.now(),
                reason="import_reservations",
                stores=lambda _: not dry_run,
            )
        except UnableToReadFile as unable:
            raise CommandError("\n".join(map(str, unable.faults))) from unable
        for one in done:
            said = f" ({', '.join(one.fields)})" if one.fields else ""
            self.stdout.write(f"{one.outcome}: {one.provider} {one.external_id}{said}")
        counts = Counter(one.outcome for one in done)
        told = ", ".join(f"{many} {outcome}" for outcome, many in sorted(counts.items()))
        self.stderr.write(f"{told}{': nothing was stored' if dry_run else ''}")
