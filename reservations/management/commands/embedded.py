import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import embedded
from config.embedded import UnableToStart


class Command(BaseCommand):
    help = "Show, start or stop the embedded PostgreSQL and Valkey of this data folder."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["status", "start", "stop"])
        parser.add_argument("--format", choices=["table", "json"], default="table", help="of status")

    def handle(self, *args: object, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError("nothing is embedded: DATABASE_URL and REDIS_URL name servers of your own")
        try:
            match options["action"]:
                case "start":
                    embedded.start(settings.DATA_DIR, settings.EMBEDDED)
                case "stop":
                    stopped = embedded.stop(settings.DATA_DIR, settings.EMBEDDED)
                    self.stderr.write(f"stopped: {', '.join(stopped) or 'nothing, none was running'}")
                    return
        except UnableToStart as unable:
            raise CommandError(str(unable)) from unable
        self.show(options["format"])

    def show(self, form: str) -> None:
        servers = [server for server in embedded.servers(settings.DATA_DIR) if server.name in settings.EMBEDDED]
        if form == "json":
            rows = [{"name": s.name, "running": s.answers(), "pid": s.pid(), "socket": str(s.socket)} for s in servers]
            self.stdout.write(json.dumps({"data_dir": str(settings.DATA_DIR), "servers": rows}))
            return
        for server in servers:
            state = f"running, process {server.pid()}, {server.socket}" if server.answers() else "not running"
            self.stdout.write(f"{server.name}: {state}")
