from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from scheduler.services.renewals import propose_renewals


class Command(BaseCommand):
    help = "Bring the renewals to what the inventory shows: propose new ends, execute what came to be."

    def handle(self, *args: object, **options: Any) -> None:
        done = propose_renewals(as_of=timezone.now())
        self.stderr.write(
            f"{done.new} proposed, {done.executed} executed, {done.superseded} superseded, {done.reopened} opened again"
        )
