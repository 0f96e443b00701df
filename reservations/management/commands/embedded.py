from django.core.management.base import BaseCommand

from config import embedded


class Command(BaseCommand):
    help = "Show or stop the embedded PostgreSQL and Valkey of this data folder."

    def handle(self, *args: object, **options: object) -> None:
        self.stdout.write(str(embedded))
