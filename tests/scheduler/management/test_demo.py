import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import psutil
import pytest

from config import embedded
from scheduler.management.supervisor import held_port
from tests.fixtures.commands import Manage, clean_environment
from tests.fixtures.parts import ROOT


def free_port() -> int:
    with held_port(18_000 + os.getpid() % 200 * 200) as holder:  # demos of parallel workers do not meet
        port: int = holder.getsockname()[1]
        return port


@pytest.fixture
def demo(data_dir: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The product's processes under one roof, ready to be used."""
    words = [sys.executable, "manage.py", "demo", "--without-fleet", "--port", str(free_port())]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            words, cwd=ROOT, env=clean_environment(data_dir), stdout=log, stderr=log, process_group=0
        )
    deadline = monotonic() + 120
    while "Moorage is ready" not in (tmp_path / "log").read_text():
        assert process.poll() is None, (tmp_path / "log").read_text()
        assert monotonic() < deadline, (tmp_path / "log").read_text()
        sleep(0.2)
    yield process
    if process.poll() is None:
        process.terminate()
    process.wait(timeout=30)


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    parent = psutil.Process(process.pid)
    return [parent, *filter(alive, parent.children(recursive=True))]


def alive(member: psutil.Process) -> bool:
    try:
        return member.is_running() and member.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_every_process_and_the_embedded_servers_soon(
    demo: subprocess.Popen[bytes], data_dir: Path, request_to_end: signal.Signals
) -> None:
    members = family(demo)
    words = [member.cmdline() for member in members]
    for name in ("config.wsgi", "worker", "beat"):
        assert any(name in each for each in words), words
    begun = monotonic()
    demo.send_signal(request_to_end)
    assert demo.wait(timeout=30) == 0
    assert monotonic() - begun < 20  # some 3 s on a machine with nothing else to do; what hangs is killed after 5 s
    assert not any(map(alive, members))
    assert not any(server.pid() for server in embedded.servers(data_dir))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent died")
def test_processes_end_soon_after_their_supervisor_was_killed(demo: subprocess.Popen[bytes]) -> None:
    members = family(demo)
    demo.kill()
    demo.wait(timeout=10)
    deadline = monotonic() + 20
    while left := [member for member in members if alive(member)]:
        assert monotonic() < deadline, left
        sleep(0.1)


def test_a_closed_terminal_ends_every_process(demo: subprocess.Popen[bytes], data_dir: Path) -> None:
    """The terminal tells its whole group of processes at once."""
    members = family(demo)
    os.killpg(demo.pid, signal.SIGHUP)
    assert demo.wait(timeout=30) == 0
    assert not any(map(alive, members))
    assert not any(server.pid() for server in embedded.servers(data_dir))


def test_one_process_that_ends_takes_all_others_with_it_and_the_exit_code_tells(
    demo: subprocess.Popen[bytes], data_dir: Path
) -> None:
    members = family(demo)
    beat = next(member for member in members if "beat" in member.cmdline())
    os.kill(beat.pid, signal.SIGKILL)
    assert demo.wait(timeout=30) == 1
    assert not any(map(alive, members))


def test_servers_killed_under_it_come_back_by_themselves(demo: subprocess.Popen[bytes], data_dir: Path) -> None:
    for server in embedded.servers(data_dir):
        os.kill(server.pid() or 0, signal.SIGKILL)
    deadline = monotonic() + 30
    while not all(server.answers() for server in embedded.servers(data_dir)):
        assert monotonic() < deadline
        sleep(0.1)


def test_servers_that_ran_before_run_on(data_dir: Path, manage: Manage, tmp_path: Path) -> None:
    embedded.start(data_dir)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        words = [sys.executable, "manage.py", "demo", "--without-fleet", "--port", str(port)]
        process = subprocess.Popen(
            words,
            cwd=ROOT,
            env=clean_environment(data_dir),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr
        said = process.stderr.readline()
        assert said.startswith(f"port {port} is in use, so {port + 1}"), said
        assert process.stderr.readline().startswith("getting ready: ")
        for line in process.stderr:
            if "Moorage is ready" in line:
                break
        process.send_signal(signal.SIGINT)
        assert "still run: manage.py embedded stop ends them" in process.communicate(timeout=30)[1]
    assert all(server.answers() for server in embedded.servers(data_dir))


def test_the_first_load_is_told_of_before_it_begins_and_may_be_broken_off(data_dir: Path) -> None:
    words = [sys.executable, "manage.py", "demo", "--port", str(free_port())]
    process = subprocess.Popen(words, cwd=ROOT, env=clean_environment(data_dir), stderr=subprocess.PIPE, text=True)
    assert process.stderr
    assert process.stderr.readline() == "loading the demo fleet: a minute or two\n"
    process.send_signal(signal.SIGHUP)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 128 + signal.SIGHUP, said
    assert not any(server.pid() for server in embedded.servers(data_dir))


def test_without_anybody_left_to_read_it_still_ends_everything(data_dir: Path) -> None:
    words = [sys.executable, "manage.py", "demo", "--without-fleet", "--port", str(free_port())]
    process = subprocess.Popen(
        words, cwd=ROOT, env=clean_environment(data_dir), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout
    for line in process.stdout:
        if b"Moorage is ready" in line:
            break
    members = family(process)
    process.stdout.close()
    process.send_signal(signal.SIGHUP)
    process.wait(timeout=30)
    assert not any(map(alive, members))
    assert not any(server.pid() for server in embedded.servers(data_dir))


def test_a_second_one_on_the_same_data_is_refused_in_one_sentence_and_the_first_runs_on(
    demo: subprocess.Popen[bytes], manage: Manage, data_dir: Path
) -> None:
    second = manage("demo", "--without-fleet")
    assert second.returncode == 1
    assert second.stderr.strip().splitlines()[-1].startswith(f"CommandError: Moorage runs on {data_dir} already")
    assert demo.poll() is None
    assert all(server.answers() for server in embedded.servers(data_dir))
