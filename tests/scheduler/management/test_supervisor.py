import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from time import monotonic, sleep

import pytest

from scheduler.management import supervisor
from scheduler.management.supervisor import UnableToSupervise, held_port, product, sole_supervisor
from tests.fixtures.parts import ROOT


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Nothing: a test is quiet."""


def until(happened: Callable[[], object]) -> None:
    deadline = monotonic() + 10
    while not happened():
        assert monotonic() < deadline
        sleep(0.01)


def test_a_site_that_is_late_is_told_of_and_looked_after_until_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "SECONDS_UNTIL_READY", 0)
    monkeypatch.setattr(supervisor, "SECONDS_BETWEEN_LOOKS", 0.01)
    told: list[bool] = []
    kept: list[int] = []
    over = threading.Event()
    with HTTPServer(("127.0.0.1", 0), Site, bind_and_activate=False) as site:
        site.server_bind()  # nobody listens yet
        url = f"http://127.0.0.1:{site.server_port}/"
        watch = threading.Thread(target=supervisor._watch, args=(over, url, told.append, lambda: kept.append(1)))
        watch.start()
        until(lambda: len(kept) > 2)
        assert told == [False]
        site.server_activate()
        serve = threading.Thread(target=site.serve_forever, args=(0.01,))
        serve.start()
        until(lambda: len(told) == 2)
        so_far = len(kept)
        until(lambda: len(kept) > so_far + 2)
        over.set()
        watch.join(10)
        site.shutdown()
        serve.join(10)
    assert told == [False, True]


def test_a_port_is_held_from_everybody_else_until_its_child_may_have_it() -> None:
    with held_port(28_000) as first, held_port(28_000) as second:
        held = first.getsockname()[1]
        assert held < second.getsockname()[1]
    with HTTPServer(("127.0.0.1", held), Site):
        pass


def test_one_supervisor_has_a_data_folder_until_its_process_ends(tmp_path: Path) -> None:
    code = "import sys, pathlib; from scheduler.management.supervisor import sole_supervisor as sole\n"
    code += "with sole(pathlib.Path(sys.argv[1])): print('alone', flush=True); sys.stdin.read()"
    words = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"alone\n"
        with pytest.raises(UnableToSupervise, match="end that one first"), sole_supervisor(tmp_path):
            pass
        other.kill()
    with sole_supervisor(tmp_path):
        pass


def test_web_believes_the_scheme_that_a_proxy_tells_only_where_there_is_one(tmp_path: Path) -> None:
    alone, behind = (product(port=8000, data_dir=tmp_path, behind_proxy=proxy)[0].command for proxy in (False, True))
    assert set(alone) - set(behind) == {"--forwarded-allow-ips="}
