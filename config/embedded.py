"""A real PostgreSQL and a real Valkey from wheels, under one data folder, shared by all its processes.

Importing this module or asking it for an address starts nothing: whoever first needs a server calls ``start``.
The servers outlive the process that started them; ``stop`` ends them. Nothing of them listens on a network port.
"""

import re
import secrets
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep

from config.embedded_launch import (
    UnableToStart,
    account_of,
    damage_of,
    end_process,
    hand_over,
    launch_postgres,
    launch_valkey,
    left_behind,
    works_in,
)

NAMES = ("postgres", "valkey")
SOCKET_PATH_LIMIT = 100  # bytes: macOS allows 103 and Linux 107, the closing zero not counted
PLAIN_PATH = re.compile(r"[A-Za-z0-9._/+@-]+")
PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Server:
    """One of the two servers of a data folder; ``folder`` holds its data and is its working directory."""

    name: str
    folder: Path
    socket: Path
    pid_file: Path
    stop_signal: signal.Signals

    def pid(self) -> int | None:
        """Its process, told by the working directory, so that a number used again by another is not taken for it."""
        try:
            pid = int(self.pid_file.read_text().split("\n", 1)[0])
        except (OSError, ValueError):
            return None
        return pid if works_in(pid, self.folder) else None

    def answers(self) -> bool:
        """It takes connections now."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
                wire.settimeout(2)
                wire.connect(str(self.socket))
                if self.name == "valkey":
                    wire.sendall(b"PING\r\n")
                    return wire.recv(16).startswith(b"+PONG")
            return self.pid_file.read_text().rstrip().endswith("ready")
        except OSError:
            return False


def servers(data_dir: Path) -> tuple[Server, Server]:
    """Both servers of a data folder, running or not."""
    sockets = socket_folder(data_dir)
    postgres, valkey = data_dir / "postgres", data_dir / "valkey"
    return (
        Server("postgres", postgres, sockets / ".s.PGSQL.5432", postgres / "postmaster.pid", signal.SIGINT),
        Server("valkey", valkey, sockets / "valkey.sock", valkey / "valkey.pid", signal.SIGTERM),
    )


def database(data_dir: Path) -> dict[str, object]:
    """Django's settings of the embedded database; its backend starts the servers at the first connection."""
    sockets = str(socket_folder(data_dir))
    return {"ENGINE": "config.embedded_postgres", "NAME": "moorage", "USER": "moorage", "HOST": sockets}


def redis_url(data_dir: Path, number: int = 0) -> str:
    """The embedded Valkey's address; databases 0 (the product) to 63 (tests take the higher ones)."""
    return f"unix://{socket_folder(data_dir)}/valkey.sock?db={number}"


def secret_key(data_dir: Path) -> str:
    """The data folder's own secret key, made once, readable by its owner alone."""
    return _remembered(data_dir, "secret_key", secrets.token_urlsafe(50))


def socket_folder(data_dir: Path) -> Path:
    """Where the sockets are: in the data folder, or in a short temporary folder where its path is too long or odd."""
    inside = data_dir / "run"
    if len(bytes(inside / ".s.PGSQL.5432")) <= SOCKET_PATH_LIMIT and PLAIN_PATH.fullmatch(str(inside)):
        return inside
    name = f"moorage-{sha256(bytes(data_dir)).hexdigest()[:16]}"
    outside = Path(tempfile.gettempdir()) / name
    if len(bytes(outside / ".s.PGSQL.5432")) > SOCKET_PATH_LIMIT or not PLAIN_PATH.fullmatch(str(outside)):
        outside = Path("/tmp") / name  # noqa: S108 (made with mode 0700 and checked before use) # nosec B108
    remembered = Path(_remembered(data_dir, "socket_folder", str(outside)))
    if remembered.name != name:  # the data folder was copied or moved since
        (data_dir / "socket_folder").unlink(missing_ok=True)
        return socket_folder(data_dir)
    return remembered


def start(data_dir: Path, names: tuple[str, ...] = NAMES) -> None:
    """Have the named servers running and answering; about a millisecond when they already do."""
    wanted = [server for server in servers(data_dir) if server.name in names]
    if all(server.answers() for server in wanted):
        return
    with _locked(data_dir):
        for server in wanted:
            if not server.answers():
                _bring_up(server, data_dir)


def stop(data_dir: Path, names: tuple[str, ...] = NAMES) -> list[str]:
    """End the named servers cleanly; gives the names of those that ran. Starts and makes nothing."""
    if not data_dir.is_dir():
        return []
    stopped = []
    with _locked(data_dir):
        for server in reversed(servers(data_dir)):
            pid = server.pid() if server.name in names else None
            if pid is not None:
                end_process(pid, server.folder, server.stop_signal)
                stopped.append(server.name)
    return stopped


def _bring_up(server: Server, data_dir: Path) -> None:
    pid = server.pid()
    if pid is not None and not server.socket.exists():  # a cleaner of temporary folders took its socket
        end_process(pid, server.folder, server.stop_signal)
        pid = None
    if pid is None:
        left_behind(server.folder)
        for leftover in (server.pid_file, server.socket, Path(f"{server.socket}.lock")):
            leftover.unlink(missing_ok=True)
        account = account_of(data_dir)
        hand_over(server.socket.parent, account)
        launch = launch_postgres if server.name == "postgres" else launch_valkey
        launch(server.folder, server.socket.parent, account)
    deadline = monotonic() + PATIENCE_SECONDS
    while not server.answers():
        if monotonic() > deadline or server.pid() is None:
            raise damage_of(server.name, server.folder)
        sleep(0.02)


def _remembered(data_dir: Path, name: str, value: str) -> str:
    path = data_dir / name
    try:
        if kept := path.read_text():
            return kept
    except FileNotFoundError:
        pass
    except OSError as error:
        raise _unusable(data_dir, error) from error
    with _locked(data_dir):
        if path.exists() and (kept := path.read_text()):
            return kept
        with tempfile.NamedTemporaryFile("w", dir=data_dir, prefix=f".{name}-", delete=False) as file:  # mode 0600
            file.write(value)
        hand_over(Path(file.name), data_dir.stat())
        Path(file.name).replace(path)
    return value


@contextmanager
def _locked(data_dir: Path) -> Iterator[None]:
    """One process at a time may start or stop servers of a data folder; the lock dies with its process."""
    import fcntl

    try:
        data_dir.mkdir(parents=True, mode=0o711, exist_ok=True)
        with (data_dir / "lock").open("a") as file:
            hand_over(data_dir / "lock", data_dir.stat())
            deadline = monotonic() + 2 * PATIENCE_SECONDS
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if monotonic() > deadline:
                        raise UnableToStart(
                            f"another process holds {data_dir / 'lock'}: wait for it or end it"
                        ) from None
                    sleep(0.02)
            yield
    except OSError as error:
        raise _unusable(data_dir, error) from error


def _unusable(data_dir: Path, error: OSError) -> UnableToStart:
    where = error.filename or data_dir
    return UnableToStart(
        f"cannot use the data folder {data_dir} ({where}: {error.strerror}): "
        "set MOORAGE_DATA_DIR to a folder you may write to"
    )
