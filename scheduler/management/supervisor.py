"""The product's processes under one roof on one machine: started together, stopped together."""

import os
import shlex
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

from honcho.manager import Manager

SECONDS_UNTIL_READY = 60
SECONDS_BETWEEN_LOOKS = 5


@dataclass(frozen=True, slots=True)
class Child:
    """One process by its name in the log and the words of its command."""

    name: str
    command: Sequence[str]


def product(*, port: int, data_dir: Path) -> list[Child]:
    """Web, worker and beat, as they would run on machines of their own."""
    web = f"config.wsgi --bind 127.0.0.1:{port} --workers 2 --worker-class gthread --threads 4 --graceful-timeout 3"
    web += " --no-control-socket"
    worker = "-A config worker -Q collect,compute,notify --concurrency 2 --without-gossip --without-mingle -l WARNING"
    beat = f"-A config beat --schedule {shlex.quote(str(data_dir / 'beat-schedule'))} --pidfile= -l WARNING"
    return [
        Child("web", python("-m", "gunicorn", *shlex.split(web))),
        Child("worker", python("-m", "celery", *shlex.split(worker))),
        Child("beat", python("-m", "celery", *shlex.split(beat))),
    ]


def manage(*words: str) -> list[str]:
    """The words of a management command as a process of its own."""
    return python(sys.argv[0], *words)


def python(*words: str) -> list[str]:
    """The words of a process run by this very interpreter."""
    return [sys.executable, *words]


def free_port(wanted: int) -> int:
    """That port of 127.0.0.1, or the next one that nobody listens on."""
    for port in range(wanted, wanted + 200):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError(f"no free port from {wanted} to {wanted + 199} on 127.0.0.1")


def supervise(
    children: Sequence[Child], *, ready_url: str, announce: Callable[[], None], keep: Callable[[], None]
) -> int:
    """Run the children until a signal, or until one ends, and then none is left; gives the exit code.

    ``announce`` is called once ``ready_url`` answers, ``keep`` every few seconds after it.
    """
    manager = Manager()
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    for child in children:
        manager.add_process(child.name, f"exec {shlex.join(child.command)}", env=environment)
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(over, ready_url, announce, keep), daemon=True)
    watch.start()
    manager.loop()
    over.set()
    watch.join(timeout=SECONDS_BETWEEN_LOOKS)
    by_signal = manager.returncode in (130, 143)
    return 0 if by_signal else 1


def _watch(over: threading.Event, ready_url: str, announce: Callable[[], None], keep: Callable[[], None]) -> None:
    deadline = monotonic() + SECONDS_UNTIL_READY
    while not _answers(ready_url):
        if over.is_set() or monotonic() > deadline:
            return
        sleep(0.2)
    announce()
    while not over.wait(SECONDS_BETWEEN_LOOKS):
        keep()


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:  # noqa: S310 (our own address)
            return answer.status == 200
    except (URLError, OSError):
        return False
