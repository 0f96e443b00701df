from datetime import UTC, datetime
from threading import Event

from django.core.management.base import BaseCommand, CommandError, CommandParser

from telemetry.selectors.worlds import world_urls
from telemetry.services.demo_endpoint import serving_demo_ec2


class Command(BaseCommand):
    help = "Answer EC2's capacity calls for the loaded demo fleet on 127.0.0.1; Ctrl-C stops it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8009)

    def handle(self, *args: object, **options: object) -> None:
        urls = world_urls()
        if not urls:
            raise CommandError("there is no demo fleet to serve: load it with load_demo")
        port = int(str(options["port"]))
        try:
            with serving_demo_ec2(url=urls[0], clock=lambda: datetime.now(UTC), port=port) as address:
                self.stderr.write(f"the demo fleet answers EC2's calls at {address}")
                Event().wait()
        except OSError as error:
            raise CommandError(f"port {port} cannot be taken ({error.strerror}): use another --port") from error
        except KeyboardInterrupt:
            self.stderr.write("stopped")
