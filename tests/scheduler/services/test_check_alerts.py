"""Evaluations in the database: what opens, goes on and ends, and what is never done twice."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scheduler.models import AlertEpisode, AlertEvaluation, Delivery, EpisodeNote
from scheduler.services.alerts import UnableToCheck, acknowledge_alerts, check_alerts, resolve_alerts, snooze_alerts
from tests.scheduler.services.alert_rules import AT, Says, check, finding, only, steps, team

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_what_is_found_opens_goes_on_and_is_resolved_once() -> None:
    says = Says().finds(finding())
    first = check(says)
    assert [(one.rule, one.object, one.severity) for one in first.opened] == [
        ("reserved_unused", "pool:serve-h100", "warning")
    ]
    assert (first.open, first.resolved) == (1, [])
    again = check(says.finds(finding(money="120")), minutes=5)
    assert (again.opened, again.open, only().weekly_money, only().found_at) == ([], 1, 120, AT + timedelta(minutes=5))
    over = check(says.finds(), minutes=10)
    assert [one.object for one in over.resolved] == ["pool:serve-h100"]
    assert (over.open, only().state, only().resolved_by) == (0, "resolved", "")
    check(says.finds(finding()), minutes=15)
    assert AlertEpisode.objects.count() == 2


def test_the_same_instant_and_any_before_it_change_nothing() -> None:
    team()
    says = Says().finds(finding())
    assert check(says).deliveries == 1
    before = list(AlertEpisode.objects.values()), list(Delivery.objects.values())
    for minutes in (0, -5):
        late = check(says.finds(), minutes=minutes)
        assert (late.evaluated, late.opened, late.resolved, late.open, late.deliveries) == (False, (), (), 1, 0)
    assert (list(AlertEpisode.objects.values()), list(Delivery.objects.values())) == before
    assert AlertEvaluation.objects.count() == 1


def test_an_instant_that_lies_ahead_is_refused_and_keeps_no_later_one_from_being_evaluated() -> None:
    now, says = timezone.now(), Says().finds(finding())
    with pytest.raises(UnableToCheck, match=r"lies ahead: rules are asked about now or what was\.$"):
        check_alerts(as_of=now + timedelta(minutes=6), made_at=now + timedelta(minutes=6), rules=[says.rule])
    assert not AlertEvaluation.objects.exists()
    assert check_alerts(as_of=now + timedelta(minutes=4), made_at=now, rules=[says.rule]).evaluated


def test_what_nothing_can_be_said_about_stays_as_it_is() -> None:
    says = Says().finds(finding())
    check(says)
    held = check(says.finds(held=("pool:serve-h100",)), minutes=5)
    assert (held.resolved, only().state) == ([], "open")
    assert AlertEvaluation.objects.first().silent == {"reserved_unused": 1}


def test_a_rule_that_fails_keeps_its_alerts_and_stops_no_other() -> None:
    bad, good = Says("reserved_unused").finds(finding()), Says("pool_short").finds(finding("arms"))
    check(bad, good)
    bad.fault = ZeroDivisionError("no nodes")
    checked = check(bad, good.finds(), minutes=5)
    assert checked.failed == {"reserved_unused": "ZeroDivisionError: no nodes"}
    assert [one.rule for one in checked.resolved] == ["pool_short"]
    assert AlertEpisode.objects.get(rule="reserved_unused").state == "open"
    assert AlertEvaluation.objects.first().failed == checked.failed


def test_a_moved_end_is_another_episode_and_one_message_that_says_so() -> None:
    team()
    says = Says("block_ending").finds(finding(occurrence="2026-05-05T09:00:00+00:00", step="24 h"))
    check(says)
    moved = check(says.finds(finding(occurrence="2026-05-06T09:00:00+00:00", step="24 h")), minutes=5)
    assert (len(moved.opened), len(moved.resolved), moved.deliveries) == (1, 1, 1)
    assert [step for step, _, _ in steps()] == ["opened", "opened"]
    assert EpisodeNote.objects.get(deed="resolved").text == "The same was found on another occasion."


def test_a_late_run_tells_the_latest_step_alone() -> None:
    team()
    says = Says("block_ending").finds(finding(step="24 h"))
    check(says)
    check(says.finds(finding(step="90 min", severity="critical")), minutes=60 * 22)
    check(says, minutes=60 * 22 + 5)
    assert [step for step, _, _ in steps()] == ["opened", "90 min"]


def test_what_a_person_resolved_stays_silent_until_it_was_in_order_once() -> None:
    team()
    says = Says().finds(finding())
    check(says)
    resolve_alerts(ids=[only().pk], by="ada", at=AT)
    assert check(says, minutes=5).opened == []
    assert check(says.finds(held=("pool:serve-h100",)), minutes=10).opened == []
    assert check(says.finds(finding()), minutes=15).opened == []
    check(says.finds(), minutes=20)
    assert len(check(says.finds(finding()), minutes=25).opened) == 1


@pytest.mark.parametrize(
    "other", [{"severity": "critical"}, {"occurrence": "another"}], ids=["more pressing", "another occasion"]
)
def test_what_a_person_resolved_speaks_again_when_it_is_worse_or_another(other: dict[str, str]) -> None:
    says = Says().finds(finding())
    check(says)
    resolve_alerts(ids=[only().pk], by="ada", at=AT)
    assert len(check(says.finds(finding(**other)), minutes=5).opened) == 1
    assert check(says, minutes=10).opened == []


def test_what_is_put_off_wakes_at_its_time_and_when_it_is_worse_each_time_with_a_message() -> None:
    team()
    says = Says().finds(finding(money="100"))
    check(says)
    for start, until, wakes, money in ((1, 30, 30, "100"), (31, 600, 33, "150")):
        at = AT + timedelta(minutes=start)
        snooze_alerts(ids=[only().pk], until=AT + timedelta(minutes=until), by="ada", at=at)
        check(says.finds(finding(money="149")), minutes=start + 1)
        assert only().state == "snoozed"
        check(says.finds(finding(money=money)), minutes=wakes)
        assert (only().state, only().woken_at) == ("open", AT + timedelta(minutes=wakes))
        check(says.finds(finding(money="100")), minutes=wakes + 0.5)
    assert [step.split(" ")[0] for step, _, _ in steps()] == ["opened", "woken", "woken"]


def test_what_is_put_off_wakes_at_its_time_though_its_rule_says_nothing_or_fails() -> None:
    team()
    held, failing = Says("pool_short").finds(finding("a")), Says("double_pay").finds(finding("b"))
    check(held, failing)
    ids = list(AlertEpisode.objects.values_list("pk", flat=True))
    snooze_alerts(ids=ids, until=AT + HOUR, note="", by="ada", at=AT)
    failing.fault = ZeroDivisionError("no nodes")
    check(held.finds(held=("pool:a",)), failing, minutes=59)
    assert set(AlertEpisode.objects.values_list("state", flat=True)) == {"snoozed"}
    check(held, failing, minutes=60)
    for row in AlertEpisode.objects.all():
        assert (row.state, row.snoozed_until, row.woken_at) == ("open", None, AT + HOUR)
        assert row.notes.filter(deed="woken", at=AT + HOUR).count() == 1
    woken = f"woken {AT + HOUR:%Y-%m-%dT%H:%M:%SZ}"
    assert [step for step, _, _ in steps()] == ["opened", "opened", woken, woken]
    check(held, failing, minutes=65)
    assert len(steps()) == 4


def test_a_job_in_trouble_is_told_though_its_block_was_taken_on_and_is_critical_already() -> None:
    team()
    says = Says("block_ending").finds(finding(step="90 min", severity="critical"))
    check(says)
    acknowledge_alerts(ids=[only().pk], note="", by="ada", at=AT)
    for minutes, step, also in (
        (5, "90 min", ("trouble run-1",)),
        (10, "90 min", ("trouble run-1",)),
        (15, "90 min", ("trouble run-2",)),
        (20, "40 min", ("trouble run-1", "trouble run-2")),
    ):
        check(says.finds(finding(step=step, also=also, severity="critical")), minutes=minutes)
    assert [step for step, _, _ in steps()] == ["opened", "trouble run-1", "trouble run-2", "40 min"]
    assert only().also == ["trouble run-1", "trouble run-2"]


def test_it_rings_the_owner_then_who_steps_in_then_the_organisation_until_somebody_answers() -> None:
    team(fallback=team("platform", email="platform@example.com"))
    says = Says().finds(finding(severity="critical"))
    check(says)
    check(says, minutes=29)
    assert [recipient for _, recipient, _ in steps()] == ["owner:serving"]
    check(says, minutes=30)
    assert [row[:2] for row in steps()] == [("opened", "owner:serving"), ("fallback", "owner:platform")]
    acknowledge_alerts(ids=[only().pk], by="ada", at=AT)
    check(says, minutes=300)
    assert len(steps()) == 2


def test_what_nobody_owns_goes_to_nobody_until_there_is_an_address_and_then_there() -> None:
    from tests.scheduler.services.routes_made import organisation_route

    says = Says().finds(finding(owner="", teams=()))
    assert check(says).deliveries == 0
    organisation_route()
    assert check(says, minutes=5).deliveries == 1
    assert steps()[0][0] == "escalated"
    assert check(says, minutes=10).deliveries == 0


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_open_and_tell_once() -> None:
    team()
    says = Says().finds(finding(), finding("arms"))

    def run(_: int) -> int:
        try:
            return len(check(says).opened)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(run, range(4))) == [0, 0, 0, 2]
    assert (AlertEpisode.objects.count(), Delivery.objects.count()) == (2, 2)


def test_the_number_of_statements_does_not_grow_with_what_is_found() -> None:
    team()
    says = Says().finds(*(finding(f"pool-{n}") for n in range(3)))
    with CaptureQueriesContext(
        connection,
    ) as few:
        check(says)
    with CaptureQueriesContext(connection) as many:
        check(says.finds(*(finding(f"pool-{n}") for n in range(300))), minutes=5)
    assert len(many) <= len(few) + 2
    assert len(many) <= 50
