"""The calendar and its feeds: what stands where, who reads it, and that nothing changes unless something did."""

from datetime import datetime, timedelta

import icalendar
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reservations.models import Organisation, Owner, Reservation, RoleGrant, User
from scheduler.domain.renewal.standing import Choice
from scheduler.models import CalendarEntry, CalendarFeed
from scheduler.services.calendar import Refreshed, make_feed, refresh_calendar, revoke_feed
from scheduler.services.renewals import decide_renewal
from scheduler.views import calendar
from tests.fixtures.cast import Cast
from tests.reservations.holdings import publish_rule
from tests.scheduler.domain.calendar.reading import events
from tests.scheduler.renewing import ADA, DAY, END, NOW, ending_block, proposed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_june(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages' clock stands at the first of June; no calendar is fresh."""

    class Clock:
        now = staticmethod(lambda: NOW)

    monkeypatch.setattr(calendar, "timezone", Clock)
    cache.delete(calendar.FRESH)


def feed_of(person: User, owner: str = "") -> str:
    return f"/calendar/{make_feed(user_id=person.pk, name='mine', owner=owner, at=NOW)}.ics"


def read(address: str, **headers: str) -> bytes:
    answer = Client().get(address, **headers)
    assert answer.status_code == 200
    return answer.content


def by_kind(data: bytes) -> dict[str, dict[str, str]]:
    return {one["CATEGORIES"]: one for one in events(data)}


def test_a_feed_needs_no_log_in_and_holds_what_the_library_reads_too(cast: Cast) -> None:
    publish_rule()
    block = ending_block(cast.pool)
    data = read(feed_of(cast.owner, "serving"))
    mine, theirs = events(data), icalendar.Calendar.from_ical(data)
    assert str(theirs["x-wr-calname"]) == "Moorage: serving"
    assert [one["UID"] for one in mine] == [str(one["uid"]) for one in theirs.walk("VEVENT")]
    told = by_kind(data)
    assert set(told) == {"start", "decision", "extension opens", "extension closes", "usable end", "end"}
    assert told["end"]["DTSTART"] == "20260711T113000Z"
    assert told["decision"]["DTSTART;VALUE=DATE"] == "20260606"
    assert told["decision"]["DTEND;VALUE=DATE"] == "20260607"
    assert told["end"]["URL"] == f"http://testserver/reservations/{block.pk}/"


def test_the_bytes_stay_the_same_until_something_changes(cast: Cast) -> None:
    ending_block(cast.pool)
    address = feed_of(cast.owner, "serving")
    first = read(address)
    assert refresh_calendar(as_of=NOW + timedelta(hours=3)) == Refreshed()
    assert read(address) == first
    Reservation.objects.update(end_at=END + DAY, usable_until=END + DAY)
    assert refresh_calendar(as_of=NOW + timedelta(hours=4)).changed == 3
    told, was = by_kind(read(address)), by_kind(first)
    assert (told["end"]["UID"], told["end"]["SEQUENCE"]) == (was["end"]["UID"], "1")
    assert told["end"]["DTSTAMP"] == "20260601T130000Z"
    assert told["start"] == was["start"]
    assert told["usable end"]["STATUS"] == "CANCELLED"


def test_an_answer_is_sent_once_while_it_stays_the_same(cast: Cast) -> None:
    ending_block(cast.pool)
    address = feed_of(cast.owner, "serving")
    answer = Client().get(address)
    etag = answer["ETag"]
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    again = Client().get(address, headers={"If-None-Match": etag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    assert Client().get(address, headers={"If-None-Match": f"W/{etag}"}).status_code == 304
    Reservation.objects.update(total_count=9)
    refresh_calendar(as_of=NOW + DAY)
    assert Client().get(address, headers={"If-None-Match": etag}).status_code == 200
    assert Client().head(address).status_code == 200
    assert Client().post(address).status_code == 405


def test_what_vanishes_is_cancelled_for_a_month_and_comes_back_as_the_same(cast: Cast) -> None:
    block = ending_block(cast.pool)
    address = feed_of(cast.owner, "serving")
    before = by_kind(read(address))
    Reservation.objects.filter(pk=block.pk).update(missing_since=NOW + DAY)
    assert refresh_calendar(as_of=NOW + DAY).cancelled == 3, "what is past stays"
    told = by_kind(read(address))
    assert {kind: one["STATUS"] for kind, one in told.items()} == {
        "start": "CONFIRMED", "extension opens": "CONFIRMED", "extension closes": "CANCELLED",
        "usable end": "CANCELLED", "end": "CANCELLED",
    }  # fmt: skip
    assert (told["end"]["UID"], told["end"]["SEQUENCE"]) == (before["end"]["UID"], "1")
    Reservation.objects.filter(pk=block.pk).update(missing_since=None)
    refresh_calendar(as_of=NOW + 2 * DAY)
    assert (by_kind(read(address))["end"]["SEQUENCE"], by_kind(read(address))["end"]["STATUS"]) == ("2", "CONFIRMED")
    Reservation.objects.filter(pk=block.pk).update(missing_since=NOW + 3 * DAY)
    refresh_calendar(as_of=NOW + 3 * DAY)
    assert refresh_calendar(as_of=NOW + 34 * DAY).forgotten == 3


def test_a_decision_is_told_and_asked_again_when_it_is_taken_back(cast: Cast) -> None:
    publish_rule()
    one = proposed(cast.pool)
    address = feed_of(cast.owner, "serving")
    assert by_kind(read(address))["decision"]["SUMMARY"] == "Decide what follows 4 × p5.48xlarge of serve-h100"
    decide_renewal(pk=one.pk, choice=Choice.LAPSE, by=ADA, at=NOW)
    refresh_calendar(as_of=NOW)
    told = by_kind(read(address))["decision"]
    assert (told["SUMMARY"], told["SEQUENCE"]) == ("serve-h100: decided, let lapse", "1")


def test_days_are_those_of_the_accounting_zone(cast: Cast) -> None:
    Organisation.objects.create(id=1, accounting_zone="Asia/Tokyo")
    publish_rule(procurement=0, blocks=0)
    ending_block(cast.pool, end_at=END + timedelta(hours=6))
    told = by_kind(read(feed_of(cast.owner, "serving")))["decision"]
    assert told["DTSTART;VALUE=DATE"] == "20260712"


@pytest.mark.parametrize(
    ("name", "owner", "sees"),
    [
        ("owner", "serving", {"cr-0aaa"}),
        ("owner", "", {"cr-0aaa"}),
        ("analyst", "", {"cr-0aaa", "cr-0bbb", "cr-0ccc"}),
        ("analyst", "robotics", {"cr-0bbb"}),
        ("outsider", "", {"cr-0bbb"}),
        ("outsider", "serving", None),
        ("nobody", "", None),
        ("nobody", "serving", None),
    ],
)
def test_a_feed_tells_what_its_maker_may_see_and_nothing_else(
    cast: Cast, name: str, owner: str, sees: set[str] | None
) -> None:
    ending_block(cast.pool)
    ending_block(cast.other, name="cr-0bbb")
    ending_block(None, name="cr-0ccc")
    answer = Client().get(feed_of(getattr(cast, name), owner))
    assert answer.status_code == (404 if sees is None else 200)
    if sees is not None:
        assert {one["DESCRIPTION"].split(",")[0] for one in events(answer.content)} == sees


def test_a_feed_ends_with_its_revocation_its_makers_role_and_its_maker(cast: Cast) -> None:
    ending_block(cast.pool)
    address = feed_of(cast.owner, "serving")
    secret = address.removeprefix("/calendar/").removesuffix(".ics")
    assert CalendarFeed.objects.get().secret_hash != secret
    assert secret not in str(CalendarFeed.objects.values().get())
    assert Client().get(address).status_code == 200
    RoleGrant.objects.filter(user=cast.owner).update(team=Owner.objects.get(name="robotics"))
    assert Client().get(address).status_code == 404
    RoleGrant.objects.filter(user=cast.owner).update(team=Owner.objects.get(name="serving"))
    User.objects.filter(pk=cast.owner.pk).update(is_active=False)
    assert Client().get(address).status_code == 404
    User.objects.filter(pk=cast.owner.pk).update(is_active=True)
    assert Client().get(address).status_code == 200
    feed = CalendarFeed.objects.get()
    assert revoke_feed(feed_id=feed.pk, user_id=cast.analyst.pk, at=NOW) is False
    assert revoke_feed(feed_id=feed.pk, user_id=cast.owner.pk, at=NOW) is True
    assert Client().get(address).status_code == 404
    assert revoke_feed(feed_id=feed.pk, user_id=cast.owner.pk, at=NOW) is False


@pytest.mark.parametrize("secret", ["0" * 64, "0" * 63, "x", "%00", "é" * 64, "0" * 64 + ".ics", "A" * 64])
def test_an_address_that_is_none_opens_nothing(cast: Cast, secret: str) -> None:
    feed_of(cast.owner, "serving")
    assert Client().get(f"/calendar/{secret}.ics").status_code == 404


def test_a_feed_is_made_shown_once_and_revoked_on_the_page(cast: Cast, logged_in) -> None:
    ending_block(cast.pool)
    client = logged_in(cast.owner)
    made = client.post("/calendar/feeds/", {"name": "my phone", "owner": "serving"})
    assert made.status_code == 201
    address = made.content.decode().split("<code>")[1].split("</code>")[0]
    assert Client().get(address.removeprefix("http://testserver")).status_code == 200
    page = client.get("/calendar/").content.decode()
    assert "my phone" in page
    assert address not in page
    assert "no-store" in made["Cache-Control"]
    feed = CalendarFeed.objects.get()
    assert client.post(f"/calendar/feeds/{feed.pk}/revoke/").status_code == 302
    assert Client().get(address.removeprefix("http://testserver")).status_code == 404
    assert client.post(f"/calendar/feeds/{feed.pk}/revoke/").status_code == 404


@pytest.mark.parametrize(
    ("name", "said", "status"),
    [
        ("owner", {"name": "", "owner": "serving"}, 422),
        ("owner", {"name": "x" * 81}, 422),
        ("owner", {"name": "x", "owner": "robotics"}, 404),
        ("analyst", {"name": "x", "owner": "nobody"}, 404),
        ("nobody", {"name": "x"}, 403),
    ],
)
def test_a_feed_that_may_not_be_is_not_made(
    cast: Cast, logged_in, name: str, said: dict[str, str], status: int
) -> None:
    assert logged_in(getattr(cast, name)).post("/calendar/feeds/", said).status_code == status
    assert not CalendarFeed.objects.exists()


def test_the_month_and_its_agenda_show_the_same_events(cast: Cast, logged_in) -> None:
    block = ending_block(cast.pool)
    page = logged_in(cast.analyst).get("/calendar/?month=2026-07").content.decode().replace("\u202f", " ")
    assert page.count("serve-h100: 4 × p5.48xlarge ends") == 2
    assert page.count("serve-h100: 4 × p5.48xlarge stops working") == 2
    assert f"/reservations/{block.pk}/" in page
    assert "Nothing starts, ends or must be decided" in logged_in(cast.outsider).get("/calendar/").content.decode()


@pytest.mark.parametrize(
    ("query", "status"),
    [("?month=2026-13", 400), ("?month=x", 400), ("?owner=robotics", 404), ("?month=2199-12&owner=serving", 200)],
)
def test_what_is_no_month_or_no_team_of_theirs_is_told_so(cast: Cast, logged_in, query: str, status: int) -> None:
    assert logged_in(cast.owner).get(f"/calendar/{query}").status_code == status


@pytest.mark.parametrize("many", [1, 40])
def test_the_page_and_the_feed_ask_as_many_questions_however_much_happens(cast: Cast, logged_in, many: int) -> None:
    for place in range(many):
        ending_block(cast.pool, name=f"cr-{place:04}")
    refresh_calendar(as_of=NOW)
    assert CalendarEntry.objects.count() == 5 * many
    cache.set(calendar.FRESH, 1, 60)
    client, address = logged_in(cast.analyst), feed_of(cast.analyst)
    for asked in ("/calendar/?month=2026-07", address):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(asked).status_code == 200
        assert len(queries) <= 12, [query["sql"][:120] for query in queries]


def test_what_changed_hands_is_told_to_its_new_team_alone(cast: Cast) -> None:
    block = ending_block(cast.pool)
    old, new = feed_of(cast.owner, "serving"), feed_of(cast.outsider, "robotics")
    assert events(read(old))
    assert not events(read(new))
    Reservation.objects.filter(pk=block.pk).update(owner=Owner.objects.get(name="robotics"))
    refresh_calendar(as_of=NOW + DAY)
    assert not events(read(old))
    assert {one["SEQUENCE"] for one in events(read(new))} == {"1"}


def test_a_calendar_that_stood_for_a_while_is_brought_up_to_date_when_it_is_read(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[datetime] = []
    monkeypatch.setattr(calendar, "refresh_calendar", lambda *, as_of: seen.append(as_of))
    address = feed_of(cast.owner, "serving")
    read(address)
    read(address)
    assert seen == [NOW]
