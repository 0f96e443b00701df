"""What the alert rules are given of real rows, and in how many queries."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.domain.size_history import DatedBy
from reservations.models import (
    Account,
    InstanceSpan,
    LaunchReport,
    Owner,
    Pool,
    PriceSubject,
    Reservation,
    ReservationObservation,
    ReservationSize,
    SyncRun,
)
from scheduler.alerts import double_pay
from scheduler.domain.alert.facts import DOUBLES_WITHIN, AlertFacts, Outside, ReservationFact
from scheduler.selectors.alert_facts import alert_facts
from telemetry.models import MetricsSource, PoolHour, PoolSource
from telemetry.models.details import HourSuspect
from telemetry.services.days import refresh_days
from tests.fixtures.cast import Cast
from tests.scheduler.front_page import NOW, observe, polled, reserve

HOUR = timedelta(hours=1)
GPU_HOUR = 3_600_000
ZONE = "use1-az4"


@pytest.fixture
def watched(cast: Cast) -> Cast:
    """Ten nodes in the cast's pool, the region listed as often as it should be."""
    account = Account.objects.create(name="prod", account_id="111122223333", regions=["us-east-1"])
    SyncRun.objects.bulk_create(
        SyncRun(
            account=account,
            region="us-east-1",
            as_of=at,
            finished_at=at,
            complete=True,
            instance_shapes=["p5.48xlarge"],
        )
        for at in polled(0, since=NOW - timedelta(hours=8))
    )
    held = reserve("cr-0aaa", pool=cast.pool, total=10, region="us-east-1", platform="Linux/UNIX", tenancy="default")
    Reservation.objects.filter(pk=held.pk).update(zone_id=ZONE, seen_by=["111122223333"])
    ReservationSize.objects.create(
        reservation=held, period=(held.start_at, None), instances=10, dated_by=DatedBy.PROVIDER.value
    )
    observe(held, polled(3, since=NOW - timedelta(hours=2)))
    return cast


def only(facts: AlertFacts, name: str) -> ReservationFact:
    (one,) = [one for one in facts.reservations if one.external_id == name]
    return one


def beside(count: int, **told: Any) -> None:
    """On-demand instances that run beside the reservation now."""
    account = Account.objects.get()
    fields = {
        "account": account,
        "region": "us-east-1",
        "shape": "p5.48xlarge",
        "seen_from": NOW - timedelta(hours=4),
        "seen_until": NOW,
        "zone_id": ZONE,
        "platform": "Linux/UNIX",
        "tenancy": "default",
        "lifecycle": "on_demand",
    }
    InstanceSpan.objects.bulk_create(
        InstanceSpan(**fields | told, instance_id=f"i-{told.get('target', '')}{place}") for place in range(count)
    )


def test_free_slots_are_told_with_the_run_they_belong_to_and_whether_the_hour_was_watched(watched: Cast) -> None:
    slots = only(alert_facts(as_of=NOW), "cr-0aaa").slots

    assert (slots.free, slots.watched, slots.every_free, slots.clean) == (3, True, True, 0)
    assert (slots.since, slots.used_first) == (NOW - timedelta(hours=2), 7)


def test_a_subject_is_seen_by_its_pools_teams_and_answered_for_by_its_own_owner_first(watched: Cast) -> None:
    subject = only(alert_facts(as_of=NOW), "cr-0aaa").subject
    assert (subject.teams, subject.owner, subject.pool) == ({"serving", "research"}, "serving", "serve-h100")

    Reservation.objects.update(owner=Owner.objects.get(name="robotics"))
    subject = only(alert_facts(as_of=NOW), "cr-0aaa").subject
    assert (subject.teams, subject.owner) == ({"serving", "research", "robotics"}, "robotics")


def test_what_is_nobodys_is_told_with_no_team(watched: Cast) -> None:
    reserve("cr-0lost", pool=None, total=2)

    subject = only(alert_facts(as_of=NOW), "cr-0lost").subject

    assert (subject.teams, subject.owner, subject.pool) == (frozenset(), "", "")


def test_prices_of_both_kinds_are_those_of_the_day_by_the_gpu_hour(watched: Cast) -> None:
    fact = only(alert_facts(as_of=NOW), "cr-0aaa")

    assert (fact.price.per_gpu_hour, fact.on_demand.per_gpu_hour, fact.price.currency) == (5, 10, "USD")


def test_instances_beside_a_reservation_are_counted_by_what_tells_them_apart(watched: Cast) -> None:
    beside(2, preference="none")
    beside(1, preference="open", target="cr-0aaa")
    beside(1, target="cr-0aaa", shape="p4d.24xlarge")

    launches = only(alert_facts(as_of=NOW), "cr-0aaa").launches

    assert launches.outside == (
        Outside(2, ZONE, "Linux/UNIX", "default", "none", targets=False),
        Outside(1, ZONE, "Linux/UNIX", "default", "open", targets=True),
    )
    assert launches.named == 1


def test_nothing_is_said_of_instances_that_were_not_listed_lately(watched: Cast) -> None:
    SyncRun.objects.filter(as_of__gt=NOW - timedelta(minutes=15)).delete()

    launches = only(alert_facts(as_of=NOW), "cr-0aaa").launches

    assert (launches.outside, launches.named) == (None, None)


def test_launches_that_failed_are_those_of_the_newest_day_reported(watched: Cast) -> None:
    subject = PriceSubject.objects.get(pool=watched.pool)
    for days, failures in ((1, 3), (0, 2), (40, 9)):
        day = (NOW - timedelta(days=days)).date()
        LaunchReport.objects.create(subject=subject, day=day, zone_id=ZONE, attempts=10, failures=failures)

    launches = only(alert_facts(as_of=NOW), "cr-0aaa").launches

    assert (launches.attempts, launches.failures, launches.day) == (10, 2, NOW.date())


def test_what_is_paid_twice_is_told_by_pool_since_it_began_with_its_cause(watched: Cast) -> None:
    beside(2, preference="none")

    (double,) = alert_facts(as_of=NOW).doubles

    assert (double.subject.name, double.now) == ("serve-h100", 2)
    assert double.since == NOW - timedelta(hours=2)
    assert double.gpu_ms == 2 * 8 * 2 * GPU_HOUR
    assert double.price.per_gpu_hour == 10
    assert double.cause == "They opted out of reservations (preference none)."


@pytest.mark.parametrize("after", [timedelta(0), timedelta(minutes=2, microseconds=7)])
def test_what_is_paid_twice_for_long_reaches_back_as_far_as_the_longest_threshold(
    watched: Cast, after: timedelta
) -> None:
    held = Reservation.objects.get(external_id="cr-0aaa")
    observe(held, polled(3, since=NOW - timedelta(hours=8), until=NOW - timedelta(hours=2, minutes=5)))
    beside(1, seen_from=NOW - timedelta(hours=8), seen_until=NOW + after)

    facts = alert_facts(as_of=NOW + after)

    longest = double_pay.Thresholds(sustained_for=DOUBLES_WITHIN)
    (finding,) = double_pay.check(facts, lambda pool="": longest).findings
    assert finding.money is not None
    assert (finding.money.money, finding.money.gpu_ms) == (8 * 10 * 168, 8 * 168 * GPU_HOUR)


def collected(pool: Pool, hours: int, **told: Any) -> list[PoolHour]:
    """The last whole hours of a pool: eight GPUs launched of sixteen reserved."""
    source, _ = MetricsSource.objects.get_or_create(name="prod-a", defaults={"url": "http://127.0.0.1:9090"})
    PoolSource.objects.get_or_create(pool=pool, source=source)
    fields = {"reserved": 16 * GPU_HOUR, "paid": 16 * GPU_HOUR, "ec2_unused": 8 * GPU_HOUR, "expected": 8 * GPU_HOUR}
    fields |= {"known": 8 * GPU_HOUR, "busy": 2 * GPU_HOUR, "idle_held": 4 * GPU_HOUR}
    rows = PoolHour.objects.bulk_create(
        PoolHour(pool=pool, hour=NOW - place * HOUR, source="prod-a", read_at=NOW, **fields | told)
        for place in range(2, hours + 2)
    )
    refresh_days(pool_id=pool.pk, hours=[row.hour for row in rows])
    return rows


def test_the_hours_of_a_day_are_told_with_what_was_launched_and_the_devices_in_doubt(watched: Cast) -> None:
    rows = collected(watched.pool, 30)
    HourSuspect.objects.create(pool_hour=rows[0], node="n1", uuid="GPU-1", what="silent", why="0 while it drew 600 W.")

    (fact,) = [one for one in alert_facts(as_of=NOW).pools if one.subject.name == "serve-h100"]

    assert fact.due == NOW - HOUR
    assert len(fact.hours) == 24
    assert [hour.suspects for hour in fact.hours[:2]] == [1, 0]
    assert (fact.hours[0].launched, fact.hours[0].not_joined, fact.hours[0].coverage) == (8 * GPU_HOUR, 0, 1)
    assert fact.suspects == ("n1, GPU-1: 0 while it drew 600 W.",)
    assert fact.collected
    assert fact.lines.even == Decimal("0.5")
    assert fact.held_since == NOW - timedelta(days=35)


def test_a_pool_without_a_source_or_an_hour_is_told_as_that(watched: Cast) -> None:
    (fact,) = [one for one in alert_facts(as_of=NOW).pools if one.subject.name == "arms"]

    assert (fact.collected, fact.held_since, fact.last_hour, fact.hours, fact.use) == (False, None, None, (), None)


def test_a_months_use_covers_whole_days_alone(watched: Cast) -> None:
    collected(watched.pool, 24 * 40)

    (fact,) = [one for one in alert_facts(as_of=NOW).pools if one.subject.name == "serve-h100"]

    assert fact.use is not None
    assert (fact.use.due_hours, fact.use.busy_hours, fact.use.month) == (672, 672, "2026-03")
    assert (fact.use.busy, fact.use.busy_paid) == (672 * 2 * GPU_HOUR, 672 * 16 * GPU_HOUR)


def test_engines_concern_those_who_see_a_pool_of_theirs_and_regions_the_organisation(watched: Cast) -> None:
    collected(watched.pool, 3)

    engine, region = alert_facts(as_of=NOW).sources

    assert (engine.subject.key, engine.subject.teams) == ("source:prod-a", {"serving", "research"})
    assert engine.subject.owner == "serving"
    assert (region.subject.key, region.subject.teams) == ("inventory:prod/us-east-1", frozenset())
    assert region.source.data_until == NOW


def test_nothing_at_all_gives_facts_of_nothing(db: None) -> None:
    facts = alert_facts(as_of=datetime(2026, 3, 8, tzinfo=UTC))

    assert facts == AlertFacts(facts.as_of, facts.zone)


def test_as_many_queries_are_asked_for_forty_reservations_as_for_one(
    watched: Cast,
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            alert_facts(as_of=NOW)
        return len(queries)

    collected(watched.pool, 24)
    beside(1)
    Reservation.objects.update(end_at=NOW + timedelta(days=90))
    few = asked()
    for number in range(40):
        pool = Pool.objects.create(
            name=f"pool-{number}", owner=watched.pool.owner, instance_type="p5.48xlarge", gpus_per_node=8
        )
        held = reserve(f"cr-{number:04d}", pool=pool, total=4, end_at=NOW + timedelta(days=9), region="us-east-1")
        observe(held, polled(number % 2, since=NOW - HOUR))
        collected(pool, 24)

    assert asked() == few
    assert few <= 37  # of the 50 that all rules may take; seven of them are about requests for exceptions


def test_whether_something_is_paid_twice_is_not_known_where_instances_are_not_listed(watched: Cast) -> None:
    SyncRun.objects.filter(as_of__gt=NOW - timedelta(minutes=15)).delete()
    (double,) = alert_facts(as_of=NOW).doubles
    assert double.now is None

    ReservationObservation.objects.update(available_count=0)
    (double,) = alert_facts(as_of=NOW).doubles
    assert double.now == 0
