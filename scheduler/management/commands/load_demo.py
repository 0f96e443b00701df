from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from scheduler.services.demo import UnableToLoadDemo, load_demo, workers_here


class Command(BaseCommand):
    help = "Load the demo fleet through the real services, or continue it up to now; safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ec2-port", type=int, default=8009, help="where serve_demo_ec2 will answer")
        parser.add_argument("--force", action="store_true", help="also into a database that has pools of its own")

    def handle(self, *args: object, **options: Any) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            tasks: dict[str, TaskID] = {}

            def advance(step: str, done: int, total: int) -> None:
                if step not in tasks:
                    tasks[step] = progress.add_task(f"demo {step}", total=total)
                progress.advance(tasks[step], done)

            try:
                load = load_demo(
                    as_of=datetime.now(UTC),
                    ec2_port=options["ec2_port"],
                    force=options["force"],
                    workers=workers_here(),
                    progress=advance,
                )
            except UnableToLoadDemo as unable:
                raise CommandError(str(unable)) from unable
        self.stderr.write(f"the demo fleet is loaded: {load.sweeps} sweeps and {load.pool_hours} pool hours were added")
