import json
import os
import signal
import subprocess  # nosec B404
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import StringIO
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError

from reservations.selectors.pools import pool_rows
from scheduler.management.offspring import end_with_parent
from scheduler.management.supervisor import (
    Child,
    UnableToSupervise,
    held_port,
    manage,
    product,
    sole_supervisor,
    supervise,
)

FLEET_COMMANDS = ("load_demo", "serve_demo_ec2")


class Command(BaseCommand):
    help = "Serve Moorage on 127.0.0.1 with web, worker and beat under one roof, on a demo fleet; Ctrl-C stops all."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="the next free one is taken where it is in use")
        parser.add_argument("--without-fleet", action="store_true", help="your own configuration, no demo data")

    def handle(self, *args: object, **options: Any) -> None:
        if settings.HTTPS:
            raise CommandError("this serves plain http on 127.0.0.1: set HTTPS=0, as make demo and make run do")
        fleet = not options["without_fleet"]
        if fleet and (missing := [name for name in FLEET_COMMANDS if name not in get_commands()]):
            raise CommandError(f"the demo fleet needs the command {missing[0]}: use --without-fleet")
        for request in STOPPING:  # while loading; then the supervisor takes over
            if request != signal.SIGHUP or signal.getsignal(request) != signal.SIG_IGN:  # nohup ignores it
                signal.signal(request, lambda number, _: sys.exit(128 + number))
        try:
            with sole_supervisor(settings.DATA_DIR):
                failed = self.run_alone(options["port"], fleet)
        except UnableToSupervise as unable:
            raise CommandError(str(unable)) from unable
        if failed:
            raise CommandError("a process ended by itself, and so all were stopped: its last lines stand above")

    def run_alone(self, wanted: int, fleet: bool) -> int:
        """Serve, and leave the embedded servers as they were found."""
        ran_before = self.running()
        try:
            return self.serve(wanted, fleet)
        finally:
            self.leave(ran_before)

    def leave(self, ran_before: bool) -> None:
        if not settings.EMBEDDED:
            return
        if ran_before:
            self.tell("the embedded servers ran before and still run: manage.py embedded stop ends them")
            return
        said = StringIO()
        call_command("embedded", "stop", stderr=said)
        self.tell(said.getvalue())

    def tell(self, text: str) -> None:
        """A line on stderr, if anybody is still there to read it."""
        with suppress(OSError):
            self.stderr.write(text)

    def serve(self, wanted: int, fleet: bool) -> int:
        with held_port(wanted) as web:  # until everything is loaded: another demo must not take it meanwhile
            port = web.getsockname()[1]
            if port != wanted:
                self.stderr.write(f"port {wanted} is in use, so {port} is taken")
            self.keep()
            if not fleet:
                self.tell("getting ready: a few seconds, and a minute or two the first time: the allocator is compiled")
            elif self.is_empty():
                self.tell("loading the demo fleet: a minute or two")
            with compiling():
                call_command("migrate", verbosity=0)
                call_command("collectstatic", interactive=False, verbosity=0)
                children = product(port=port, data_dir=settings.DATA_DIR, behind_proxy=settings.BEHIND_PROXY)
                if fleet:
                    with held_port(port + 1) as ec2:
                        children += self.load_fleet(ec2.getsockname()[1])
        address = f"http://127.0.0.1:{port}"
        return supervise(
            children,
            ready_url=f"{address}/accounts/login/",
            announce=lambda ready: self.announce(address, fleet) if ready else self.ask_for_patience(address),
            keep=self.keep_up,
        )

    def is_empty(self) -> bool:
        """The database knows no pool, or has no tables yet."""
        try:
            return not pool_rows()
        except ProgrammingError:
            return True

    def load_fleet(self, ec2_port: int) -> list[Child]:
        """Load the fleet's past; what keeps it alive is one more process."""
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):  # boto3 signs its calls to our own endpoint too
            os.environ.setdefault(name, "demo")
        os.environ.setdefault("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{ec2_port}")  # where its checkpoints are
        call_command("load_demo", ec2_port=ec2_port, stderr=self.stderr)
        return [Child("ec2", manage("serve_demo_ec2", "--port", str(ec2_port)))]

    def announce(self, address: str, fleet: bool) -> None:
        self.tell(f"\nMoorage is ready: {address}/ (Ctrl-C stops it)")
        if not fleet:
            self.tell("the first log-in is made by: .venv/bin/python manage.py createsuperuser")
            return
        from scheduler.services.demo import LOGINS

        for login in LOGINS:
            self.tell(f"  {login}")

    def ask_for_patience(self, address: str) -> None:
        self.tell(f"{address}/ does not answer yet: either this machine is busy, or the lines above say why")

    def running(self) -> bool:
        """Some embedded server of this data folder runs already, for somebody else."""
        if not settings.EMBEDDED:
            return False
        answer = StringIO()
        call_command("embedded", "status", format="json", stdout=answer)
        return any(server["running"] for server in json.loads(answer.getvalue())["servers"])

    def keep(self) -> None:
        """Have the embedded servers up again where somebody killed one."""
        if settings.EMBEDDED:
            call_command("embedded", "start", stdout=StringIO())

    def keep_up(self) -> None:
        """The same while everything runs: a server that cannot come back is told, and tried again."""
        try:
            self.keep()
        except CommandError as error:
            self.tell(str(error))


STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def compiling() -> Iterator[None]:
    """Have the allocator compiled meanwhile: once, before several processes would each do so; CommandError if not."""
    # Python loses what a signal raises while it forks, so none may come just then.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    begin = partial(_begin, before, os.getpid())
    words = manage("warm_up_allocator")
    compiler = subprocess.Popen(words, stderr=subprocess.DEVNULL, preexec_fn=begin)  # noqa: S603 (our own) # nosec B603
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield
        if compiler.wait():
            raise CommandError("the allocator can't be compiled: manage.py warm_up_allocator says why")
    finally:
        compiler.terminate()
        compiler.wait()


def _begin(unblocked: set[signal.Signals], parent: int) -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
    end_with_parent(signal.SIGTERM, parent)
