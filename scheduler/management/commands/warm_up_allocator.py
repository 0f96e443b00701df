from time import perf_counter

from django.core.management.base import BaseCommand

from scheduler.services.allocation import warm_up_allocator


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Compile the allocator into the data folder, before web and workers start; in a second where it is done."

    def handle(self, *args: object, **options: object) -> None:
        began = perf_counter()
        warm_up_allocator()
        self.stderr.write(f"the allocator is compiled, in {perf_counter() - began:.1f} s")
