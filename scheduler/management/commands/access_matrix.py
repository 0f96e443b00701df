"""`access_matrix [--check]`: docs/access-matrix.md anew, or whether it is as it would be written."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from scheduler.management.access_matrix import DOORS
from scheduler.management.access_matrix.writing import matrix_text


class Command(BaseCommand):
    help = "Writes docs/access-matrix.md from the access matrix; with --check, fails where it is no longer so."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail where the page is not current")

    def handle(self, *args: Any, **options: Any) -> None:
        page, text = Path(settings.BASE_DIR) / "docs" / "access-matrix.md", matrix_text(DOORS)
        if not options["check"]:
            page.write_text(text, encoding="utf-8")
        elif not page.is_file() or page.read_text(encoding="utf-8") != text:
            raise CommandError("docs/access-matrix.md is not current: run manage.py access_matrix")
