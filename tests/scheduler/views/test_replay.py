"""The replay page: what it says, to whom, what may be asked of it, and that its files and command say the same."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.html import strip_tags

from reservations.models import Pool, Queue
from scheduler.models import MonthReplay
from scheduler.services.replay import run_month_replays
from scheduler.views import replay as page
from tests.fixtures.cast import Cast
from tests.scheduler.front_page import reserve
from tests.scheduler.services.replay_months import AS_OF, recorded_month

pytestmark = pytest.mark.django_db
JANUARY = "/sizing/replay/?pool=serve-h100&month=2026-01"
ASKED = {"pool": "serve-h100", "month": "2026-01"}
STAYS = [
    ("chat-0", "cq-serve", range(744), 8),
    ("embed-a", "cq-fill", range(10, 40), 4),
    ("embed-b", "cq-fill", range(12, 60), 4),
]


def words(text: str) -> str:
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


def seen(client: Client, address: str, status: int = 200, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == status, words(response.content.decode())[:400]
    return words(response.content.decode())


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How often a worker was told."""
    calls: list[str] = []
    monkeypatch.setattr(page.run_month_replays, "apply_async", lambda **said: calls.append("told"))
    return calls


@pytest.fixture
def pool(cast: Cast) -> Pool:
    Queue.objects.create(pool=cast.pool, cluster_queue="cq-fill", owner=cast.pool.owner, workload="batch")
    reserve("cr-0aaa", pool=cast.pool, total=4)
    recorded_month(cast.pool, STAYS)
    return cast.pool


@pytest.fixture
def replayed(pool: Pool, cast: Cast, logged_in, told, django_capture_on_commit_callbacks) -> Client:
    """An analyst who had January replayed."""
    client = logged_in(cast.analyst)
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/sizing/replay/ask/", ASKED).status_code == 302
    assert told == ["told"]
    assert run_month_replays(clock=lambda: AS_OF) == 1
    return client


def test_a_month_is_asked_for_worked_off_and_shown(replayed: Client) -> None:
    text = seen(replayed, JANUARY)
    assert "2 nodes would have delivered what 4 do: within 1 % of the same value." in text
    assert "The pods of 744 of 744 hours (100 %) are known: 2 jobs. Serving needed up to 8 GPUs." in text
    assert "From 0 to 9 nodes the month is worth −190 464 to 312; on 2 (packed) 312" in text
    assert "manage.py replay --pool serve-h100 --month 2026-01" in text
    assert "Replay it anew" in text


def test_files_and_command_have_the_pages_figures(replayed: Client, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(replayed.get(f"/sizing/replay/sizes.csv?{query()}").content.decode())))
    assert [row["nodes"] for row in rows] == [str(nodes) for nodes in range(10)]
    packed = rows[2]
    assert (packed["is_packed"], packed["value"], packed["value_share"], packed["unmet_gpu_hours"]) == (
        "true",
        "312",
        "1",
        "0",
    )
    assert rows[0]["utilization"] == ""
    capsys.readouterr()
    call_command("replay", "--pool", "serve-h100", "--month", "2026-01", "--nodes", "4", "--format", "csv")
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out))) == rows
    assert MonthReplay.objects.count() == 1
    workbook = replayed.get(f"/sizing/replay/sizes.xlsx?{query()}")
    assert workbook.content[:2] == b"PK"


def test_the_command_keeps_what_it_made_and_the_page_shows_it(
    pool: Pool, cast: Cast, logged_in, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("replay", "--pool", "serve-h100", "--month", "2026-01", "--format", "json")
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (document["packed_nodes"], document["current_nodes"]) == (2, 4)
    assert json.loads(MonthReplay.objects.get().result) == document
    assert "2 nodes would have delivered what 4 do" in err.replace("\u202f", " ")
    assert "2 nodes would have delivered" in seen(logged_in(cast.viewer), JANUARY)
    call_command("replay", "--pool", "serve-h100", "--month", "2026-01", "--k", "1")
    assert MonthReplay.objects.count() == 1
    assert "unmet_gpu_hours" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (["--pool", "no-such", "--month", "2026-01"], "there is no pool “no-such”"),
        (["--pool", "serve-h100", "--month", "January"], "“January” is not a month"),
        (["--pool", "serve-h100", "--month", "2026-01", "--k", "51"], "51 sizes below and above can't be replayed"),
        (["--pool", "serve-h100", "--month", "2026-01", "--k", "-1"], "“-1” is no whole number"),
        (["--pool", "serve-h100", "--month", "2026-01", "--nodes", "0"], "the pool holds no node now"),
        (["--pool", "serve-h100", "--month", "2026-01", "--nodes", "999"], "256 are the most"),
    ],
)
def test_the_command_says_bad_input_in_one_sentence_and_keeps_nothing(pool: Pool, said: list, sentence: str) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("replay", *said)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not MonthReplay.objects.exists()


def test_a_month_never_replayed_says_so_and_offers_it(pool: Pool, cast: Cast, logged_in) -> None:
    text = seen(logged_in(cast.analyst), JANUARY)
    assert "This month has not been replayed yet." in text
    assert "Replay January 2026" in text
    viewer = seen(logged_in(cast.viewer), JANUARY)
    assert "An analyst, an operator or the owner of serve-h100 can have it replayed." in viewer
    seen(logged_in(cast.analyst), f"/sizing/replay/sizes.csv?{query()}", status=404)


def test_too_little_data_is_said_with_its_reason_and_no_figure(cast: Cast, logged_in, told) -> None:
    reserve("cr-0aaa", pool=cast.pool, total=4)
    client = logged_in(cast.analyst)
    client.post("/sizing/replay/ask/", ASKED)
    run_month_replays(clock=lambda: AS_OF)
    text = seen(client, JANUARY)
    assert "Not enough data: the pods of 0 of 744 hours are known, which is under 90%." in text
    assert "The sizing rule alone decides." in text
    assert "The month on every size" not in text
    assert "Not enough data" in seen(client, f"/sizing/replay/sizes.csv?{query()}", status=404)


def test_one_under_way_shows_how_far_it_is_and_can_be_taken_back(pool: Pool, cast: Cast, logged_in, told) -> None:
    client = logged_in(cast.analyst)
    client.post("/sizing/replay/ask/", ASKED)
    assert "waits for a worker" in seen(client, JANUARY)
    MonthReplay.objects.update(state="running", started_at=AS_OF, done_steps=372, total_steps=7_440)
    part = client.get(f"/sizing/replay/progress/?{query()}", headers={"HX-Request": "true"})
    assert "372 of 7 440 hours" in words(part.content.decode())
    assert "HX-Refresh" not in part
    assert client.get(f"/sizing/replay/progress/?{query()}").status_code == 302
    client.post("/sizing/replay/cancel/", ASKED)
    assert MonthReplay.objects.get().state == "cancelled"
    assert "It was taken back before it had ended." in seen(client, JANUARY)
    assert "HX-Refresh" in client.get(f"/sizing/replay/progress/?{query()}", headers={"HX-Request": "true"})


def test_who_may_not_run_it_is_told_and_outsiders_see_nothing(pool: Pool, cast: Cast, logged_in, told) -> None:
    assert logged_in(cast.viewer).post("/sizing/replay/ask/", ASKED).status_code == 403
    assert logged_in(cast.viewer).post("/sizing/replay/cancel/", ASKED).status_code == 403
    for address in (JANUARY, f"/sizing/replay/sizes.csv?{query()}", f"/sizing/replay/progress/?{query()}"):
        seen(logged_in(cast.outsider), address, status=404)
    assert logged_in(cast.outsider).post("/sizing/replay/ask/", ASKED).status_code == 404
    assert "no pool that you may see" in seen(logged_in(cast.nobody), JANUARY)
    assert not MonthReplay.objects.exists()
    assert logged_in(cast.analyst).get("/sizing/replay/ask/").status_code == 405


def test_a_broker_that_is_down_keeps_the_request(
    pool: Pool, cast: Cast, logged_in, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(**said: object) -> None:
        raise page.OperationalError("no broker")

    monkeypatch.setattr(page.run_month_replays, "apply_async", down)
    monkeypatch.setattr(page.transaction, "on_commit", lambda call: call())  # a test's own transaction never commits
    client = logged_in(cast.analyst)
    client.post("/sizing/replay/ask/", ASKED)
    assert "nobody is told yet. The request is kept" in seen(client, JANUARY)
    assert MonthReplay.objects.get().state == "queued"


@pytest.mark.parametrize("month", ["2026-13", "x", "2999-01", "2009-12"])
def test_a_month_that_cannot_be_meant_is_refused(pool: Pool, cast: Cast, logged_in, month: str) -> None:
    seen(logged_in(cast.analyst), f"/sizing/replay/?pool=serve-h100&month={month}", status=422)


def test_without_an_address_it_is_the_last_whole_month(pool: Pool, cast: Cast, logged_in) -> None:
    response = logged_in(cast.analyst).get("/sizing/replay/")
    month = response.context["asked"].month
    assert (month.day, response.context["asked"].months[1]) == (1, month)


def query() -> str:
    return "pool=serve-h100&month=2026-01"
