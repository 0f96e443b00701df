"""The inbox of alerts: what it lists to whom, what the address narrows, and what is done about several at once."""

import csv
import io
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from scheduler.models import AlertEpisode, EpisodeNote
from tests.fixtures.cast import Cast
from tests.scheduler.alerted import alerted

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert("1")</script> & “' + "x" * 90


def words(text: str) -> str:
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


def seen(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status, words(response.content.decode())[:400]
    return words(response.content.decode())


def sent(client: Client, ids: list[int], move: str, query: str = "", **more: str) -> str:
    """Move some and read the list one comes back to."""
    answer = client.post(f"/alerts/move/{query}", {"alert": ids, "move": move, **more})
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/alerts/{query}"
    return seen(client, answer.headers["Location"])


def states() -> list[str]:
    return list(AlertEpisode.objects.order_by("pk").values_list("state", flat=True))


def test_the_most_pressing_stands_first_then_what_costs_most(cast: Cast, logged_in) -> None:
    alerted("cheap", weekly_money=Decimal(10))
    alerted("dear", weekly_money=Decimal(5000))
    alerted("pressing", severity="critical", weekly_money=None, weekly_gpu_ms=None, currency="")
    alerted("away", state="snoozed", snoozed_until=timezone.now() + timedelta(hours=1))
    page = seen(logged_in(cast.analyst), "/alerts/")
    assert page.index("pressing : 2 of 4") < page.index("dear : 2 of 4") < page.index("cheap : 2 of 4")
    assert "away" not in page
    assert "5 010 USD" in page
    assert "3 h" in page


@pytest.mark.parametrize(
    ("query", "has"),
    [
        ("?state=snoozed", {"d"}),
        ("?state=any", {"a", "b", "c", "d", "e"}),
        ("?state=resolved", {"e"}),
        ("?severity=critical", {"b"}),
        ("?rule=double_pay", {"c"}),
        ("?owner=robotics", {"c"}),
        ("?pool=arms", {"c"}),
        ("?q=CR-B", {"b"}),
        ("?assigned=me", {"a"}),
        ("?owner=robotics&severity=critical", set()),
    ],
)
def test_filters_stand_in_the_address_and_hold_for_the_files(cast: Cast, logged_in, query: str, has: set[str]) -> None:
    now = timezone.now()
    alerted("cr-a", assigned_to=cast.analyst)
    alerted("cr-b", severity="critical")
    alerted("cr-c", rule="double_pay", owner="robotics", teams=["robotics"], pool="arms")
    alerted("cr-d", state="snoozed", snoozed_until=now + timedelta(days=1))
    alerted("cr-e", state="resolved", resolved_at=now)
    client = logged_in(cast.analyst)
    page = seen(client, f"/alerts/{query}")
    rows = list(csv.DictReader(io.StringIO(client.get(f"/alerts/alerts.csv{query}").content.decode())))
    assert {row["subject"].removeprefix("cr-") for row in rows} == has
    for one in "abcde":
        assert (f"cr-{one} : 2 of 4" in page) == (one in has), one
    if not has:
        assert "No alert matches." in page


@pytest.mark.parametrize(
    "query", ["?state=x", "?severity=x", "?rule=x", "?assigned=you", "?sort=x", "?reservation=x", "?page=0", "?q=%00"]
)
def test_words_that_mean_nothing_are_told_so(cast: Cast, logged_in, query: str) -> None:
    seen(logged_in(cast.analyst), f"/alerts/{query}", 400)


def test_a_page_after_the_last_is_none(cast: Cast, logged_in) -> None:
    seen(logged_in(cast.analyst), "/alerts/?page=2", 404)


def test_an_empty_list_says_why(cast: Cast, logged_in) -> None:
    assert "the rules are not being asked" in seen(logged_in(cast.analyst), "/alerts/")
    assert "Nobody has granted you a role" in seen(logged_in(cast.nobody), "/alerts/")
    assert "No alert that matches is assigned to you." in seen(logged_in(cast.analyst), "/alerts/?assigned=me")


def test_others_alerts_are_not_told_of_and_not_moved(cast: Cast, logged_in) -> None:
    theirs, ours = alerted("cr-theirs"), alerted("cr-ours", teams=["robotics"], owner="robotics")
    nobodys = alerted("cr-nobodys", teams=[], owner="")
    client = logged_in(cast.outsider)
    page = seen(client, "/alerts/")
    assert "cr-ours" in page
    assert "cr-theirs" not in page
    assert "cr-nobodys" not in page
    for move in ("acknowledge", "resolve", "snooze", "assign", "open"):
        page = sent(client, [theirs.pk, nobodys.pk], move, until="hour", to="outsider")
        assert "There is no such alert, or it is not yours to see. (2 times)" in page
    assert states() == ["open", "open", "open"]
    assert not EpisodeNote.objects.exists()
    sent(client, [theirs.pk, ours.pk], "acknowledge")
    assert states() == ["open", "acknowledged", "open"]


def test_a_viewer_reads_without_money_and_moves_nothing(cast: Cast, logged_in) -> None:
    one = alerted()
    client = logged_in(cast.viewer)
    page = seen(client, "/alerts/")
    assert "cr-0aaa" in page
    assert "1 234" not in page
    assert "USD" not in page
    assert "Acknowledge" not in page
    page = sent(client, [one.pk], "acknowledge")
    assert "None was acknowledged. None of your roles lets you handle it." in page
    assert states() == ["open"]
    (row,) = csv.DictReader(io.StringIO(client.get("/alerts/alerts.csv").content.decode()))
    assert (row["money_a_week"], row["currency"]) == ("", "")


def test_what_a_viewer_sees_is_not_ordered_by_what_it_costs(cast: Cast, logged_in) -> None:
    alerted("second", weekly_money=Decimal(9000), since=timezone.now() - timedelta(hours=1))
    alerted("first", weekly_money=Decimal(1), since=timezone.now() - timedelta(hours=9))
    for query in ("", "?sort=money"):
        page = seen(logged_in(cast.viewer), f"/alerts/{query}")
        assert page.index("first : 2 of 4") < page.index("second : 2 of 4")


def test_several_are_moved_at_once_and_one_is_told_why_others_were_not(cast: Cast, logged_in) -> None:
    ids = [alerted(f"cr-{n}").pk for n in range(3)]
    client = logged_in(cast.owner)
    page = sent(client, ids[:2], "acknowledge", "?owner=serving&sort=newest")
    assert "2 alerts acknowledged." in page
    page = sent(client, ids, "acknowledge")
    assert "1 alert acknowledged. 2 were not: cr-0: It is acknowledged already. cr-1: It is acknowledged" in page
    page = sent(client, ids[:1], "resolve", note="the node is back")
    assert "1 alert resolved." in page
    assert states() == ["resolved", "acknowledged", "acknowledged"]
    assert EpisodeNote.objects.get(deed="resolved").text == "the node is back"


@pytest.mark.parametrize("until", ["hour", "today", "tomorrow", "week"])
def test_alerts_are_snoozed_until_a_chosen_time(cast: Cast, logged_in, until: str) -> None:
    one = alerted()
    page = sent(logged_in(cast.owner), [one.pk], "snooze", until=until)
    assert "1 alert snoozed." in page
    one.refresh_from_db()
    assert one.state == "snoozed"
    assert timezone.now() < one.snoozed_until <= timezone.now() + timedelta(days=7)


@pytest.mark.parametrize(
    ("until", "at", "said"),
    [
        ("at", "", "choose a day and a time"),
        ("at", "next spring", "is no time"),
        ("at", "2020-01-01T10:00", "until a time to come"),
        ("at", "2199-01-01T10:00", "14 days at most"),
        ("ever", "", "Say until when"),
    ],
)
def test_a_time_that_is_none_snoozes_nothing(cast: Cast, logged_in, until: str, at: str, said: str) -> None:
    one = alerted()
    page = sent(logged_in(cast.owner), [one.pk], "snooze", until=until, at=at)
    assert said in page
    assert states() == ["open"]


def test_alerts_are_assigned_to_who_may_handle_them(cast: Cast, logged_in) -> None:
    one, robotics = alerted(), alerted("cr-robot", teams=["robotics"])
    client = logged_in(cast.analyst)
    page = sent(client, [one.pk, robotics.pk], "assign", to="borrower")
    assert "1 alert assigned to borrower. 1 was not: borrower has no role that reaches it." in page
    one.refresh_from_db()
    assert one.assigned_to == cast.borrower
    assert "is nobody who may handle alerts" in sent(client, [one.pk], "assign", to="viewer")
    assert "1 alert assigned to nobody." in sent(client, [one.pk], "assign", to="")


def test_nothing_picked_and_nonsense_do_nothing(cast: Cast, logged_in) -> None:
    one = alerted()
    client = logged_in(cast.owner)
    assert "Nothing was picked" in sent(client, [], "acknowledge")
    assert client.post("/alerts/move/", {"alert": ["1; drop"], "move": "resolve"}).status_code == 400
    assert client.post("/alerts/move/", {"alert": [one.pk], "move": "delete"}).status_code == 400
    assert client.post("/alerts/move/", {"alert": range(501), "move": "resolve"}).status_code == 400
    assert client.get("/alerts/move/").status_code == 405
    assert states() == ["open"]


def test_hostile_text_is_text(cast: Cast, logged_in) -> None:
    alerted(HOSTILE, summary=HOSTILE, cause=HOSTILE)
    client = logged_in(cast.analyst)
    for address in ("/alerts/", "/alerts/of/?pool=serve-h100", f"/alerts/{AlertEpisode.objects.get().pk}/"):
        text = client.get(address).content.decode()
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text


def test_the_inbox_asks_few_queries_however_many_there_are(cast: Cast, logged_in) -> None:
    for n in range(60):
        alerted(f"cr-{n:03d}")
    client = logged_in(cast.owner)
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/alerts/").status_code == 200
    assert len(asked) <= 10


def test_the_frame_tells_how_many_are_open(cast: Cast, logged_in) -> None:
    alerted()
    alerted("cr-b", severity="critical")
    alerted("cr-c", teams=["robotics"])
    alerted("cr-d", state="acknowledged")
    assert seen(logged_in(cast.viewer), "/alerts/open/") == "2 open, 1 critical"
    assert seen(logged_in(cast.outsider), "/alerts/open/") == "1 open"
    assert seen(logged_in(cast.nobody), "/alerts/open/") == ""


def test_a_part_lists_the_live_alerts_of_a_pool_or_a_reservation(cast: Cast, logged_in) -> None:
    for n in range(7):
        alerted(f"cr-{n}")
    alerted("cr-other", pool="arms", teams=["robotics"])
    page = seen(logged_in(cast.viewer), "/alerts/of/?pool=serve-h100")
    assert page.count("2 of 4 nodes") == 5
    assert "All 7" in page
    assert "No alert of it is open." in seen(logged_in(cast.viewer), "/alerts/of/?pool=arms")
    assert "No alert of it is open." in seen(logged_in(cast.viewer), "/alerts/of/?reservation=7")
