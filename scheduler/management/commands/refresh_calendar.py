from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from scheduler.services.calendar import refresh_calendar


class Command(BaseCommand):
    help = "Bring the calendar's events to what the inventory and the decisions say."

    def handle(self, *args: object, **options: Any) -> None:
        done = refresh_calendar(as_of=timezone.now())
        self.stderr.write(
            f"{done.new} new, {done.changed} changed, {done.cancelled} cancelled, {done.forgotten} forgotten"
        )
