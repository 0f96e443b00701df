"""One alert with its story, the rules with their thresholds, routes with their secrets, and the delivery log."""

import csv
import io
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from reservations.models import User
from scheduler.models import AlertEpisode, Delivery, EpisodeNote, NotificationRoute, RuleThreshold
from telemetry.models import PoolHour
from tests.fixtures.cast import MONTH, Cast
from tests.reservations.holdings import holding
from tests.scheduler.alerted import alerted
from tests.scheduler.views.test_alert_inbox import seen, words

pytestmark = pytest.mark.django_db
ROUTE = {
    "name": "on call",
    "channel": "webhook",
    "address": "https://hooks.example.com/T0PSECRET",
    "least": "notice",
    "at_once_from": "critical",
    "digest_hour": "8",
    "zone": "UTC",
    "enabled": "on",
}


def done(client: Client, pk: int, move: str, **form: str) -> str:
    answer = client.post(f"/alerts/{pk}/{move}/", form, follow=True)
    assert answer.status_code == 200, answer.status_code
    return words(answer.content.decode())


def delivered(one: AlertEpisode, **said: object) -> Delivery:
    fields = {
        "episode": one, "step": "opened", "recipient": "owner:serving", "channel": "email", "mode": "at_once",
        "shown": "o…@example.com", "state": "sent", "owed_at": one.opened_at, "try_at": one.opened_at,
        "sent_at": one.opened_at, "subject": "Reserved but unused: cr-0aaa",
    }  # fmt: skip
    return Delivery.objects.create(**fields | said)


def test_an_alert_tells_what_since_when_at_what_cost_why_and_what_to_do(cast: Cast, logged_in) -> None:
    one = alerted()
    earlier = alerted(state="resolved", resolved_at=timezone.now(), opened_at=timezone.now() - timedelta(days=9))
    delivered(one, state="failed", error="The server said no.", attempts=3)
    page = seen(logged_in(cast.owner), f"/alerts/{one.pk}/")
    for said in (
        "Reserved but unused: cr-0aaa",
        "warning · open",
        "2 of 4 nodes reserved and not launched.",
        "1 234 USD a week",
        "Nothing references this targeted reservation.",
        "Open the pool",
        "free 2 of 4 nodes",
        "Told: opened",
        "given up after 3 tries",
        "The server said no.",
        "Earlier, of the same",
        "resolved, found in order",
    ):
        assert said in page, said
    assert f"/alerts/{earlier.pk}/" in logged_in(cast.owner).get(f"/alerts/{one.pk}/").content.decode()


def test_the_hours_of_its_pool_are_drawn_with_the_beginning_marked(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    one = alerted(since=MONTH + timedelta(days=3))
    answer = logged_in(cast.owner).get(f"/alerts/{one.pk}/").content.decode()
    assert 'data-figure="around-figure"' in answer
    assert '"2026-03-04 00:00"' in answer
    assert "began" in answer


def test_an_alert_about_a_block_leads_to_its_clock(cast: Cast, logged_in) -> None:
    block = holding("cr-block", pool=cast.pool, kind="block")
    one, other = alerted(rule="block_ending", reservation=block), alerted("cr-b", reservation=block)
    client = logged_in(cast.owner)
    assert f"/blocks/{block.pk}/clock/" in client.get(f"/alerts/{one.pk}/").content.decode()
    assert "/clock/" not in client.get(f"/alerts/{other.pk}/").content.decode()


def test_a_viewer_sees_an_alert_without_money_and_without_a_form(cast: Cast, logged_in) -> None:
    one = alerted()
    page = seen(logged_in(cast.viewer), f"/alerts/{one.pk}/")
    assert "your role does not include prices" in page
    assert "USD" not in page
    assert "free 2 of 4 nodes" in page
    assert "handle it" in page
    for move in ("acknowledge", "snooze", "assign", "comment", "resolve", "open"):
        assert logged_in(cast.viewer).post(f"/alerts/{one.pk}/{move}/", {"text": "x"}).status_code == 403
    assert not EpisodeNote.objects.exists()


def test_others_alerts_are_as_if_they_were_not(cast: Cast, logged_in) -> None:
    one = alerted()
    client = logged_in(cast.outsider)
    theirs = seen(client, f"/alerts/{one.pk}/", 404)
    assert theirs.replace(str(one.pk), "999999") == seen(client, "/alerts/999999/", 404)
    assert client.post(f"/alerts/{one.pk}/resolve/", {"note": "x"}).status_code == 404


def test_an_alert_is_acknowledged_snoozed_assigned_commented_and_resolved(cast: Cast, logged_in) -> None:
    one, client = alerted(), logged_in(cast.owner)
    assert "owner acknowledged it" in done(client, one.pk, "acknowledge")
    assert "owner snoozed it until" in done(client, one.pk, "snooze", until="tomorrow")
    assert "owner assigned it to borrower" in done(client, one.pk, "assign", to="borrower")
    assert "asked on Friday" in done(client, one.pk, "comment", text="asked on Friday")
    assert "owner opened it again" in done(client, one.pk, "open")
    page = done(client, one.pk, "resolve", note="the node is back")
    assert "the node is back" in page
    assert "Acknowledge" not in page
    one.refresh_from_db()
    assert (one.state, one.resolved_by, one.hushed) == ("resolved", "owner", True)
    assert "None was acknowledged" in done(client, one.pk, "acknowledge")


@pytest.mark.parametrize(
    ("move", "form", "said"),
    [
        ("comment", {"text": " "}, "A comment says something."),
        ("snooze", {"until": "at", "at": "2199-01-01T00:00"}, "14 days at most"),
        ("assign", {"to": "viewer"}, "is nobody who may handle alerts"),
    ],
)
def test_what_cannot_be_done_is_said_beside_its_form(cast: Cast, logged_in, move: str, form: dict, said: str) -> None:
    one = alerted()
    answer = logged_in(cast.owner).post(f"/alerts/{one.pk}/{move}/", form)
    assert answer.status_code == 422
    assert said in words(answer.content.decode())
    assert logged_in(cast.owner).post(f"/alerts/{one.pk}/delete/").status_code == 400


def test_rules_tell_defaults_reasons_and_counts(cast: Cast, logged_in) -> None:
    alerted()
    alerted("old", state="resolved", resolved_at=timezone.now(), opened_at=timezone.now() - timedelta(days=40))
    page = seen(logged_in(cast.viewer), "/alerts/rules/")
    assert "Reserved but unused" in page
    assert "1 open" in page
    assert "1 in 30 days" in page
    assert "unused for 60 min" in page
    assert "Set it" not in page


def test_an_owner_sets_a_threshold_of_their_own_pool_and_no_other(cast: Cast, logged_in) -> None:
    form = {"name": "unused_for", "pool": "serve-h100", "value": "3 h", "reason": "nodes boot slowly"}
    address = "/alerts/rules/reserved_unused/"
    client = logged_in(cast.owner)
    page = words(client.post(address, form, follow=True).content.decode())
    assert "3 h for serve-h100 by owner" in page
    assert "nodes boot slowly" in seen(client, "/alerts/rules/?history=reserved_unused")
    assert client.post(address, form | {"pool": ""}).status_code == 403
    assert client.post(address, form | {"pool": "arms"}).status_code == 404
    assert client.post("/alerts/rules/nothing/", form).status_code == 404
    for who, status in ((cast.borrower, 403), (cast.viewer, 403), (cast.outsider, 404), (cast.analyst, 403)):
        assert logged_in(who).post(address, form).status_code == status, who
    assert RuleThreshold.objects.count() == 1
    assert "3 h for serve-h100" not in seen(logged_in(cast.outsider), "/alerts/rules/?history=reserved_unused")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"value": "soon"}, "is a length of time"),
        ({"value": "1 min"}, "must lie between"),
        ({"name": "unheard_of"}, "There is no threshold"),
        ({"reason": ""}, "a reason is needed"),
    ],
)
def test_a_bad_threshold_is_refused_beside_its_field(cast: Cast, logged_in, changed: dict, said: str) -> None:
    form = {"name": "unused_for", "pool": "serve-h100", "value": "3 h", "reason": "why not"} | changed
    answer = logged_in(cast.owner).post("/alerts/rules/reserved_unused/", form)
    assert answer.status_code == 422
    assert said in words(answer.content.decode())
    assert not RuleThreshold.objects.exists()


def test_a_webhooks_secret_is_shown_once_and_its_address_never(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    made = client.post("/me/notifications/", ROUTE)
    assert made.status_code == 201, words(made.content.decode())[:900]
    assert "shown this once" in words(made.content.decode())
    row = NotificationRoute.objects.get()
    assert (row.user, row.owner) == (cast.viewer, None)
    for address in ("/me/notifications/", f"/alerts/routes/{row.pk}/"):
        text = client.get(address).content.decode()
        assert "on call" in text
        assert "T0PSECRET" not in text
    changed = client.post(f"/alerts/routes/{row.pk}/", ROUTE | {"address": "", "name": "calmer"})
    assert changed.status_code == 302
    row.refresh_from_db()
    assert row.name == "calmer"


def test_routes_are_changed_by_whose_they_are(cast: Cast, logged_in) -> None:
    own = {"name": "x", "channel": "email", "shown": "x", "address_sealed": "x", "made_at": timezone.now()}
    teams = NotificationRoute.objects.create(**own, owner_id=cast.pool.owner_id)
    persons = NotificationRoute.objects.create(**own, user=cast.owner)
    whole = NotificationRoute.objects.create(**own)
    reached = {
        cast.owner: {teams.pk, persons.pk},
        cast.outsider: set(),
        cast.viewer: set(),
        cast.analyst: set(),
    }
    for person, pks in reached.items():
        client = logged_in(person)
        for row in (teams, persons, whole):
            expected = 200 if row.pk in pks else 404
            assert client.get(f"/alerts/routes/{row.pk}/").status_code == expected, (person, row.pk)
            if expected == 404:
                assert client.post(f"/alerts/routes/{row.pk}/remove/").status_code == 404
                assert client.post(f"/alerts/routes/{row.pk}/test/").status_code == 404
    assert NotificationRoute.objects.count() == 3
    assert logged_in(cast.viewer).post("/alerts/routes/", ROUTE | {"owner": "serving"}).status_code == 403
    assert logged_in(cast.owner).post("/alerts/routes/", ROUTE | {"owner": ""}).status_code == 403
    assert logged_in(cast.owner).post(f"/alerts/routes/{teams.pk}/remove/").status_code == 302
    assert NotificationRoute.objects.count() == 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"address": ""}, "A route has an address."),
        ({"zone": "Mars/Base"}, "is not a time zone"),
        ({"quiet_from": "22:00"}, "Quiet hours have a beginning and an end."),
        ({"name": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_with_a_route_is_said_beside_its_field(cast: Cast, logged_in, changed: dict, said: str) -> None:
    answer = logged_in(cast.owner).post("/me/notifications/", ROUTE | changed)
    assert answer.status_code == 400
    assert said in words(answer.content.decode())
    assert not NotificationRoute.objects.exists()


def test_the_log_tells_what_went_where_of_what_may_be_seen(cast: Cast, logged_in) -> None:
    delivered(alerted())
    delivered(alerted("cr-b", teams=["robotics"]), state="failed", error="no such host", subject="of robotics")
    page = seen(logged_in(cast.owner), "/alerts/deliveries/")
    assert "Reserved but unused: cr-0aaa" in page
    assert "robotics" not in page
    page = seen(logged_in(cast.analyst), "/alerts/deliveries/?state=failed")
    assert "no such host" in page
    assert "cr-0aaa" not in page
    text = logged_in(cast.analyst).get("/alerts/deliveries/deliveries.csv?state=failed").content.decode()
    assert [row["error"] for row in csv.DictReader(io.StringIO(text))] == ["no such host"]
    assert "No message matches." in seen(logged_in(cast.analyst), "/alerts/deliveries/?q=nothing")
    seen(logged_in(cast.analyst), "/alerts/deliveries/?state=lost", 400)


def test_search_finds_an_alert_by_its_subject(cast: Cast, logged_in) -> None:
    alerted("cr-unheard-of")
    assert "Reserved but unused: cr-unheard-of" in seen(logged_in(cast.viewer), "/search/?q=unheard")
    assert "cr-unheard-of" not in seen(logged_in(cast.outsider), "/search/?q=unheard")


def test_nobody_who_is_not_logged_in_sees_any_of_it(client: Client, db: None) -> None:
    for address in ("/alerts/", "/alerts/open/", "/alerts/rules/", "/alerts/routes/", "/alerts/deliveries/"):
        assert client.get(address).status_code == 302, address
    assert not User.objects.exists()


def test_addresses_are_read_by_whose_they_are_and_by_who_handles_the_alert_alone(cast: Cast, logged_in) -> None:
    one = alerted()
    logged_in(cast.owner).post("/me/notifications/", ROUTE)
    own = NotificationRoute.objects.get()
    failed = {"state": "failed", "attempts": 1}
    theirs = {"recipient": f"route:{own.pk}", "route": own, "channel": "webhook"}
    delivered(one, **failed, shown="s…@example.com", error="s…@example.com is full.")
    delivered(one, **failed, **theirs, shown="hooks.example.com", error="Ada left.")
    delivered(one, **failed, recipient="route:99999", channel="webhook", shown="gone.example.com", error="It is gone.")
    people = {"owner": cast.owner, "viewer": cast.viewer, "approver": cast.approver}
    for path in (f"/alerts/{one.pk}/", "/alerts/deliveries/", "/alerts/deliveries/deliveries.csv"):
        told = {who: unescape(logged_in(person).get(path).content.decode()) for who, person in people.items()}
        for said, readers in (
            ("s…@example.com", {"owner", "approver"}),
            ("s…@example.com is full", {"owner", "approver"}),
            ("hooks.example.com", {"owner"}),
            ("Ada left", {"owner"}),
            ("gone.example.com", set()),
            ("It is gone", set()),
        ):
            assert {who for who, page in told.items() if said in page} == readers, (path, said)
        assert "a person's own address" in told["viewer"]
    for who, found in (("viewer", 0), ("owner", 1)):
        text = logged_in(people[who]).get("/alerts/deliveries/deliveries.csv?q=hooks").content.decode()
        assert len(list(csv.reader(io.StringIO(text)))) == 1 + found
