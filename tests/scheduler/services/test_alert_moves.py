"""What people do about alerts in the database: legal moves alone, told which were none, and the same twice is once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta, timezone

import pytest
from django.db import IntegrityError, connection, transaction

from reservations.domain.access import Grant, Person, Role
from reservations.models import Owner, RoleGrant, User
from scheduler.domain.alert.episode import EpisodeState
from scheduler.domain.alert.severity import Severity
from scheduler.models import AlertEpisode, AlertEvaluation, Delivery, EpisodeNote
from scheduler.selectors.alerts import EpisodeFilter, episode_counts, episode_detail, episodes, open_alerts_of
from scheduler.services.alerts import (
    Moved,
    UnableToMove,
    acknowledge_alerts,
    assign_alert,
    assign_alerts,
    comment_on_alert,
    forget_old_alerts,
    resolve_alerts,
    snooze_alerts,
    wake_alerts,
)
from tests.scheduler.services.alert_rules import AT, Says, check, finding, team

pytestmark = pytest.mark.django_db


def opened(*names: str) -> list[int]:
    check(Says().finds(*(finding(name) for name in names)))
    return list(AlertEpisode.objects.order_by("pk").values_list("pk", flat=True))


def said(pk: int) -> list[tuple[str, str, str]]:
    return list(EpisodeNote.objects.filter(episode=pk).values_list("deed", "text", "by"))


def test_many_are_moved_at_once_and_each_that_was_not_is_told_why() -> None:
    first, second, third = opened("a", "b", "c")
    resolve_alerts(ids=[third], by="ada", at=AT, note="fixed")
    moved = acknowledge_alerts(ids=[first, second, third, 999, first], by="bob", at=AT)
    assert moved == Moved(2, ("c: What is resolved can't become acknowledged.", "There is no such alert."))
    again = acknowledge_alerts(ids=[first], by="bob", at=AT)
    assert again == Moved(0, ("a: It is acknowledged already.",))
    assert said(first) == [("acknowledged", "", "bob")]
    assert said(third) == [("resolved", "fixed", "ada")]


def test_what_is_put_off_can_be_put_off_until_another_time_and_opened_again() -> None:
    (pk,) = opened("a")
    for hours in (1, 2, 2):
        snooze_alerts(ids=[pk], until=AT + timedelta(hours=hours), by="ada", at=AT, note="after lunch")
    assert [text for _, text, _ in said(pk)] == [
        "until 2026-05-04T10:00:00Z: after lunch",
        "until 2026-05-04T11:00:00Z: after lunch",
    ]
    assert wake_alerts(ids=[pk], by="ada", at=AT).moved == 1
    row = AlertEpisode.objects.get()
    assert (row.state, row.snoozed_until, row.woken_at) == ("open", None, AT)


@pytest.mark.parametrize("days", [0, -1, 14.01])
def test_nothing_is_put_off_into_the_past_or_beyond_two_weeks(days: float) -> None:
    (pk,) = opened("a")
    with pytest.raises(UnableToMove):
        snooze_alerts(ids=[pk], until=AT + timedelta(days=days), by="ada", at=AT)
    assert AlertEpisode.objects.get().state == "open"


def test_an_alert_is_given_to_people_who_exist_and_written_to_in_words() -> None:
    (pk,) = opened("a")
    User.objects.create_user("bob")
    assert assign_alert(pk=pk, to="bob", by="ada", at=AT)
    assert not assign_alert(pk=pk, to="bob", by="ada", at=AT)
    with pytest.raises(UnableToMove, match="Nobody here is called eve"):
        assign_alert(pk=pk, to="eve", by="ada", at=AT)
    comment_on_alert(pk=pk, text=" on it ", by="bob", at=AT)
    for text in ("  ", "x" * 2001):
        with pytest.raises(UnableToMove):
            comment_on_alert(pk=pk, text=text, by="bob", at=AT)
    assert said(pk) == [("assigned", "bob", "ada"), ("commented", "on it", "bob")]


def test_several_alerts_are_given_to_who_may_handle_each_and_of_the_rest_it_is_said_why() -> None:
    first, second = opened("a", "b")
    research = Owner.objects.create(name="research")
    RoleGrant.objects.create(user=User.objects.create_user("bob"), role=Role.OPERATOR.value, team=research)
    teams = {first: frozenset({"research"}), second: frozenset({"serving"})}
    asked = {"ids": [first, second], "teams": teams, "by": "ada", "at": AT}
    assert assign_alerts(to="bob", **asked) == Moved(1, ("bob has no role that reaches it.",))
    assert assign_alerts(to="bob", **asked).unmoved[0] == "It is assigned so already."
    assert assign_alerts(to="", **asked) == Moved(1, ("It is assigned so already.",))
    with pytest.raises(UnableToMove, match="“eve” is nobody who may handle alerts"):
        assign_alerts(to="eve", **asked)
    assert said(first) == [("assigned", "bob", "ada"), ("assigned", "nobody", "ada")]


@pytest.mark.django_db(transaction=True)
def test_two_people_who_resolve_at_once_resolve_once_and_owe_its_end_once() -> None:
    team()
    ids = opened("a", "b", "c")

    def resolve(by: str) -> int:
        try:
            return resolve_alerts(ids=ids, by=by, at=AT).moved
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(resolve, ("ada", "bob"))) == [0, 3]
    assert EpisodeNote.objects.filter(deed="resolved").count() == 3
    assert Delivery.objects.filter(step="resolved").count() == 3


def test_people_see_what_their_teams_may_and_nothing_else() -> None:
    check(
        Says().finds(
            finding("a", severity="critical", teams=("serving",)),
            finding("b", teams=("research", "serving"), money="7"),
            finding("c", teams=()),
        )
    )
    names = {
        teams and tuple(teams): [row.subject for row in episodes(EpisodeFilter(), teams=teams and frozenset(teams))]
        for teams in (None, ("serving",), ("research",), ("robotics",))
    }
    assert names == {None: ["a", "c", "b"], ("serving",): ["a", "b"], ("research",): ["b"], ("robotics",): []}
    serving = Person("ada", (Grant(Role.VIEWER, "serving"),))
    everybody = Person("bob", (Grant(Role.ANALYST),))
    seen = [(one.open, one.critical) for one in map(open_alerts_of, (serving, everybody, Person("eve")))]
    assert seen == [(2, 1), (3, 1), (0, 0)]
    hidden = AlertEpisode.objects.get(subject="a").pk
    assert episode_detail(pk=hidden, reader=Person("ada"), teams=frozenset({"research"})) is None
    counted = episode_counts(EpisodeFilter(severities=frozenset({Severity.WARNING})), teams=None)
    assert (counted.total, dict(counted.weekly_money)) == (2, {"USD": 107})


def test_a_story_is_told_in_order_with_what_was_before() -> None:
    team()
    says = Says().finds(finding())
    check(says)
    check(says.finds(), minutes=5)
    check(says.finds(finding(severity="critical")), minutes=10)
    (row,) = episodes(EpisodeFilter(), teams=None)
    acknowledge_alerts(ids=[row.id], by="ada", at=AT)
    told = episode_detail(pk=row.id, reader=Person("ada"), teams=None)
    assert told is not None
    assert [note.deed for note in told.notes] == ["acknowledged"]
    assert [one.step for one in told.deliveries] == ["opened"]
    assert [one.state for one in told.earlier] == [EpisodeState.RESOLVED]
    assert told.row.next_step.page == "scheduler:attention"


def test_what_was_resolved_long_ago_is_let_go_but_for_what_is_still_silent() -> None:
    says = Says().finds(finding("a"), finding("b"))
    check(says)
    resolve_alerts(ids=[AlertEpisode.objects.get(subject="b").pk], by="ada", at=AT)
    check(says.finds(finding("b")), minutes=5)
    assert forget_old_alerts(as_of=AT + timedelta(days=400)) == 0
    assert forget_old_alerts(as_of=AT + timedelta(days=401)) == 1
    assert [row.subject for row in AlertEpisode.objects.all()] == ["b"]
    assert AlertEvaluation.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"state": "gone"},
        {"severity": "loud"},
        {"state": "resolved"},
        {"resolved_at": AT},
        {"state": "snoozed"},
        {"hushed": True},
        {"currency": ""},
    ],
)
def test_the_database_refuses_what_no_move_leads_to(change: dict[str, object]) -> None:
    (pk,) = opened("a")
    with pytest.raises(IntegrityError), transaction.atomic():
        AlertEpisode.objects.filter(pk=pk).update(**change)


def test_until_when_it_is_put_off_is_written_in_utc_whatever_the_clock_of_who_says_it() -> None:
    (pk,) = opened("a")
    tokyo = timezone(timedelta(hours=9))
    snooze_alerts(ids=[pk], until=(AT + timedelta(hours=1)).astimezone(tokyo), by="ada", at=AT)
    assert said(pk) == [("snoozed", "until 2026-05-04T10:00:00Z", "ada")]
