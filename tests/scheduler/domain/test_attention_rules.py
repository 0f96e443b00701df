"""Each rule of attention by itself: facts in, items out."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from scheduler.domain.attention.ends import EndFact, ends_ahead
from scheduler.domain.attention.held_idle import HeldFact, held_idle
from scheduler.domain.attention.item import Item, Kind, Price
from scheduler.domain.attention.low_coverage import CoverageFact, low_coverage
from scheduler.domain.attention.reserved_unused import FreeFact, reserved_unused
from scheduler.domain.attention.sources import SourceFact, troubled_sources
from scheduler.domain.attention.unowned import UnownedFact, unowned
from scheduler.domain.policy import DEFAULT_POLICY

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
PRICE = Price(Decimal("2.5"), "USD")
HOUR_MS = 3_600_000


def free(**said: object) -> FreeFact:
    fact = {
        "reservation_id": 7,
        "external_id": "cr-0aaa",
        "name": "train-h200",
        "free": 4,
        "total": 16,
        "gpus_per_node": Decimal(8),
        "since": NOW - timedelta(days=9),
        "matching": "open",
        "zone_id": "use1-az6",
        "data_zone_id": "use1-az6",
        "price": PRICE,
    }
    return FreeFact(**{**fact, **said})


def unused(*facts: FreeFact) -> list[Item]:
    return reserved_unused(facts, as_of=NOW, policy=DEFAULT_POLICY)


def test_a_week_of_free_slots_costs_instances_times_gpus_times_168_hours_at_the_reserved_price() -> None:
    (item,) = unused(free())
    assert item.weekly.gpu_ms == 4 * 8 * 168 * HOUR_MS
    assert (item.weekly.money, item.weekly.currency) == (Decimal(4 * 8 * 168) * Decimal("2.5"), "USD")
    assert item.sentence == "4 of 16 nodes of cr-0aaa reserved, nothing launches into them"
    assert item.since == NOW - timedelta(days=9)
    assert item.step.page == "reservations:detail"


@pytest.mark.parametrize(("minutes", "shown"), [(59, False), (60, True), (61, True)])
def test_free_slots_are_shown_once_they_stood_for_an_hour(minutes: int, shown: bool) -> None:
    assert bool(unused(free(since=NOW - timedelta(minutes=minutes)))) is shown


def test_a_price_nobody_knows_is_said_and_never_zero() -> None:
    (item,) = unused(free(price=Price(why_not="price unknown")))
    assert (item.weekly.money, item.weekly.why_not) == (None, "price unknown")
    assert item.weekly.gpu_ms == 4 * 8 * 168 * HOUR_MS


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ({"matching": "targeted", "free": 16}, "Probably: it is targeted, and nothing that is launched names it."),
        ({"matching": "targeted"}, ""),
        ({"free": 16}, ""),
        ({"data_zone_id": "use1-az4"}, "Probably: it is in use1-az6, and the pool's data are in use1-az4."),
        ({"data_zone_id": ""}, ""),
    ],
)
def test_a_cause_is_named_only_where_the_evidence_says_so(said: dict[str, object], cause: str) -> None:
    assert unused(free(**said))[0].cause == cause


def held(idle_held: int | None, known: int | None) -> list[Item]:
    return held_idle([HeldFact("train-h200", "2026-05", idle_held, known, PRICE)], policy=DEFAULT_POLICY)


@pytest.mark.parametrize(
    ("idle", "known", "shown"),
    [
        (1_500, 10_000, True),
        (1_499, 10_000, False),
        (168, 1_000, True),
        (167, 1_000, False),
        (None, 10_000, False),
        (5_000, None, False),
        (0, 0, False),
    ],
)
def test_held_idle_is_shown_from_a_share_and_a_whole_gpu_on(idle: int | None, known: int | None, shown: bool) -> None:
    in_ms = [None if hours is None else hours * HOUR_MS for hours in (idle, known)]
    assert bool(held(*in_ms)) is shown


def test_held_idle_leads_to_the_hours_behind_it_and_costs_its_week() -> None:
    (item,) = held(2_000 * HOUR_MS, 10_000 * HOUR_MS)
    assert item.weekly.money == Decimal(5_000)
    assert dict(item.step.of) == {"name": "train-h200", "month": "2026-05"}
    assert dict(item.step.query) == {"step": "idle_held"}


@pytest.mark.parametrize(("told", "named"), [(1_000, True), (999, False), (2_000, True), (0, False)])
def test_the_pod_that_held_most_is_named_where_pods_of_half_of_it_are_known(told: int, named: bool) -> None:
    fact = HeldFact("train-h200", "2026-05", 2_000 * HOUR_MS, 10_000 * HOUR_MS, PRICE)
    known = replace(fact, pod="lab/sleeper", pod_idle=2 * HOUR_MS, told_idle=told * HOUR_MS, since=NOW)
    (item,) = held_idle([known], policy=DEFAULT_POLICY)
    assert (item.cause, item.since) == (("Most by lab/sleeper: 2.00 GPU-hours.", NOW) if named else ("", None))
    assert held_idle([replace(known, pod="")], policy=DEFAULT_POLICY)[0].cause == ""


@pytest.mark.parametrize(("coverage", "shown"), [("0.9", False), ("0.8999", True), ("0", True), (None, False)])
def test_coverage_is_shown_below_nine_tenths_and_not_where_it_is_unknown(coverage: str | None, shown: bool) -> None:
    share = None if coverage is None else Decimal(coverage)
    fact = CoverageFact("serve", "2026-05", share, 300 * HOUR_MS, PRICE)
    items = low_coverage([fact], policy=DEFAULT_POLICY)
    assert bool(items) is shown
    assert all(item.weekly.money == Decimal(750) for item in items)


def source(**said: object) -> list[Item]:
    fact = {"name": "main", "inventory": False, "failing": False, "data_until": NOW, "last_error": "", "pools": ("a",)}
    return troubled_sources([SourceFact(**{**fact, **said})], as_of=NOW, policy=DEFAULT_POLICY)


def test_a_source_that_answers_in_time_is_not_shown() -> None:
    assert source() == []
    assert source(data_until=NOW - timedelta(hours=2, minutes=15)) == []
    assert source(inventory=True, data_until=NOW - timedelta(minutes=15)) == []


def test_a_source_that_fails_says_its_error_and_what_it_blinds() -> None:
    (item,) = source(failing=True, last_error="main answered 503.", pools=("a", "b", "c", "d"))
    assert item.sentence == "fails: what a, b, c and 1 more did is not known"
    assert item.cause == "main answered 503."
    assert item.weekly is None


def test_a_late_source_says_since_when_and_one_that_never_gave_anything_that() -> None:
    (late,) = source(data_until=NOW - timedelta(hours=5))
    assert late.sentence == "gave nothing lately: what a did is not known"
    assert late.since == NOW - timedelta(hours=5)
    (never,) = source(data_until=None, inventory=True)
    assert never.sentence == "never gave anything: free slots and sizes are not known"


def end(**said: object) -> list[Item]:
    fact = {
        "reservation_id": 7,
        "external_id": "cr-0aaa",
        "pool": "sprint",
        "shape": "p6-b200.48xlarge",
        "total": 4,
        "pool_total": 6,
        "gpus_per_node": Decimal(8),
        "end_at": NOW + timedelta(days=10),
        "usable_until": NOW + timedelta(days=10, minutes=-30),
        "decide_on": date(2026, 5, 1),
    }
    return ends_ahead([EndFact(**{**fact, **said})], as_of=NOW, zone=UTC, policy=DEFAULT_POLICY)


def test_an_end_says_when_it_stops_working_and_what_is_lost() -> None:
    (item,) = end()
    assert item.sentence == "4 × p6-b200.48xlarge stop working 30 May 2026, 11:30 UTC; what follows is undecided"
    assert item.cause == "Then 2 of 6 nodes are left, 32 GPUs less."
    assert (item.decide_on, item.weekly) == (date(2026, 5, 1), None)


def test_one_node_ends_in_the_singular_and_without_a_rule_the_end_itself_decides() -> None:
    (item,) = end(total=1, usable_until=None, decide_on=None)
    assert item.sentence == "1 × p6-b200.48xlarge ends 30 May 2026, 12:00 UTC; what follows is undecided"
    assert item.decide_on == date(2026, 5, 30)


@pytest.mark.parametrize(
    ("days", "decide_in", "shown"),
    [(90, None, True), (91, None, False), (200, 90, True), (200, 91, False), (0, 0, False)],
)
def test_ends_and_decisions_are_shown_ninety_days_ahead(days: int, decide_in: int | None, shown: bool) -> None:
    decide_on = None if decide_in is None else NOW.date() + timedelta(days=decide_in)
    assert bool(end(end_at=NOW + timedelta(days=days), usable_until=None, decide_on=decide_on)) is shown


@pytest.mark.parametrize(
    ("free_slots", "cause"),
    [
        (2, "It backs no pool, and nothing is launched into it."),
        (1, "It backs no pool; 1 of 2 nodes are launched."),
        (None, "It backs no pool, and how much of it is used is not known."),
    ],
)
def test_what_is_nobodys_costs_all_it_holds(free_slots: int | None, cause: str) -> None:
    (item,) = unowned([UnownedFact(7, "cr-0bbb", "g6e.48xlarge", 2, free_slots, Decimal(8), NOW, PRICE)])
    assert item.kind is Kind.UNOWNED
    assert item.weekly.money == Decimal(2 * 8 * 168) * Decimal("2.5")
    assert item.cause == cause


def test_what_is_nobodys_and_of_unknown_size_costs_nothing_that_is_known() -> None:
    (item,) = unowned([UnownedFact(7, "cr-0bbb", "", None, None, None, NOW, PRICE)])
    assert item.weekly is None
    assert item.sentence == "machines of an unknown type that no team answers for"
