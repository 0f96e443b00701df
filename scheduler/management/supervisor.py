"""The product's processes under one roof on one machine: started together, stopped together."""

import os
import shlex
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from urllib.error import URLError
from urllib.request import urlopen

from scheduler.management.offspring import Offspring

SECONDS_UNTIL_READY = 60
SECONDS_BETWEEN_LOOKS = 5


class UnableToSupervise(Exception):
    """Another supervisor has this data folder; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Child:
    """One process by its name in the log and the words of its command."""

    name: str
    command: Sequence[str]


def product(*, port: int, data_dir: Path, behind_proxy: bool) -> list[Child]:
    """Web, worker and beat, as they would run on machines of their own."""
    web = f"config.wsgi --bind 127.0.0.1:{port} --workers 2 --worker-class gthread --threads 4 --graceful-timeout 3"
    web += " --no-control-socket"
    if not behind_proxy:  # else gunicorn believes everybody on this machine who says that he came by https
        web += " --forwarded-allow-ips="
    # -q: no banner between the lines that tell a person where to go.
    worker = "-A config -q worker --without-gossip --without-mingle -l WARNING"
    clock = f"{worker} -Q collect,compute,notify --concurrency 2 -n clock@%h"
    # Of its own: a proof may take minutes, and the hours are collected meanwhile.
    allocator = f"{worker} -Q allocate --concurrency 1 -n allocator@%h"
    beat = f"-A config -q beat --schedule {shlex.quote(str(data_dir / 'beat-schedule'))} --pidfile= -l WARNING"
    return [
        Child("web", python("-m", "gunicorn", *shlex.split(web))),
        Child("worker", python("-m", "celery", *shlex.split(clock))),
        Child("allocator", python("-m", "celery", *shlex.split(allocator))),
        Child("beat", python("-m", "celery", *shlex.split(beat))),
    ]


def manage(*words: str) -> list[str]:
    """The words of a management command as a process of its own."""
    return python(sys.argv[0], *words)


def python(*words: str) -> list[str]:
    """The words of a process run by this very interpreter."""
    return [sys.executable, *words]


@contextmanager
def sole_supervisor(data_dir: Path) -> Iterator[None]:
    """The only one over a data folder; UnableToSupervise where there is one. It ends with its process, however."""
    import fcntl

    data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    with (data_dir / "supervisor").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UnableToSupervise(
                f"Moorage runs on {data_dir} already: end that one first, or set MOORAGE_DATA_DIR to another folder"
            ) from None
        os.register_at_fork(after_in_child=file.close)  # a fork that outlives this process must not hold its lock
        yield


def held_port(wanted: int) -> socket.socket:
    """That port of 127.0.0.1, or the next free one, kept from everybody else until it is closed for its child."""
    for port in range(wanted, wanted + 200):
        holder = socket.socket()
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            holder.bind(("127.0.0.1", port))
            holder.listen()  # two may bind a port in this way, only one may listen
        except OSError:
            holder.close()
            continue
        return holder
    raise OSError(f"no free port from {wanted} to {wanted + 199} on 127.0.0.1")


def supervise(
    children: Sequence[Child], *, ready_url: str, announce: Callable[[bool], None], keep: Callable[[], None]
) -> int:
    """Run the children until a signal, or until one ends, and then none is left; gives the exit code.

    ``announce`` is told True once ``ready_url`` answers, and False before it where that takes longer than a minute;
    ``keep`` is called every few seconds from then on.
    """
    manager = Offspring()
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    for child in children:
        manager.add_process(child.name, f"exec {shlex.join(child.command)}", env=environment)
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(over, ready_url, announce, keep), daemon=True)
    watch.start()
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # under nohup the end of the terminal means nothing
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    manager.loop()
    over.set()
    watch.join(timeout=SECONDS_BETWEEN_LOOKS)
    by_signal = manager.returncode in (130, 143)
    return 0 if by_signal else 1


def _watch(over: threading.Event, ready_url: str, announce: Callable[[bool], None], keep: Callable[[], None]) -> None:
    deadline = monotonic() + SECONDS_UNTIL_READY
    ready = late = False
    while not over.wait(SECONDS_BETWEEN_LOOKS if ready or late else 0.2):
        if ready or late:
            keep()
        if not ready and _answers(ready_url):
            ready = True
            announce(True)
        elif not ready and not late and monotonic() > deadline:
            late = True
            announce(False)


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:  # noqa: S310 (our own address) # nosec B310
            return answer.status == 200
    except (URLError, OSError):
        return False
