"""Which pods held GPUs idle, since when, and which go by a name."""

from datetime import timedelta
from decimal import Decimal

import pytest

from reservations.domain.period import Period
from reservations.models import Pool
from telemetry.domain.details import PodUse
from telemetry.selectors.details import HeldIdlePod, held_idle_pods, pods_named
from telemetry.services.ledger import store_hours
from tests.telemetry.domain.lawful_rows import H, lawful
from tests.telemetry.services.hour_details import at, behind, pod
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

DAY = Period(at(0), at(24))


def hours(of: Pool, told: dict[int, list[PodUse]]) -> None:
    """Ledger hours, counted from ten, with these pods behind them."""
    rows = [lawful(number) for number in told]
    details = {at(number): behind(*pods) for number, pods in told.items()}
    store_hours(pool_id=of.pk, source="main", hours=rows, read_at=at(100), details=details)


def idle(name: str, number: float, held: int = H, **more: object) -> PodUse:
    return pod(name, idle_held=held, idle_from=at(number), **more)


def since(of: Pool, period: Period = DAY) -> dict[str, object]:
    return {one.pod: one.since for one in held_idle_pods(pool_ids=[of.pk], period=period, limit=9)}


def test_pods_come_by_what_they_held_idle_with_their_last_queue_and_team(django_assert_num_queries: object) -> None:
    one, other = a_pool("one"), a_pool("two")
    hours(one, {0: [idle("a", 0), idle("b", 0, held=3 * H)], 1: [idle("a", 1, held=H // 2, queue="cq-a")]})
    hours(other, {0: [idle("c", 0.5, held=H + 1)]})
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = held_idle_pods(pool_ids=[one.pk, other.pk], period=DAY, limit=2)
    assert [pod.pod for pod in found] == ["b", "a"]
    a_held = H + H // 2
    assert found[1] == HeldIdlePod(
        one.pk, "one", "team", "a", "uid-a", "cq-a", "serving", a_held, 3 * H + a_held, Decimal("0.5"), at(0), at(1)
    )
    assert held_idle_pods(pool_ids=[other.pk], period=DAY, limit=2)[0].since == at(0.5)
    assert held_idle_pods(pool_ids=[], period=DAY, limit=2) == []


def test_a_pod_is_idle_since_its_last_busy_moment_hours_before() -> None:
    one = a_pool()
    busy = idle("a", 0.75, held=H // 4, busy=3 * H // 4)
    hours(one, {0: [busy], 1: [idle("a", 1)], 2: [idle("a", 2)], 3: [idle("a", 3)]})
    assert since(one) == {"a": at(0.75)}
    assert since(one, Period(at(2), at(3))) == {"a": at(0.75)}


def test_a_pod_that_was_busy_in_its_last_hour_is_idle_since_then() -> None:
    one = a_pool()
    hours(one, {0: [idle("a", 0)], 1: [idle("a", 1.5, busy=H // 2)]})
    assert since(one) == {"a": at(1.5)}
    assert since(one, Period(at(0), at(1))) == {"a": at(0)}


def test_an_hour_without_the_pod_or_without_its_devices_interrupts() -> None:
    one = a_pool()
    unseen = pod("b", idle_held=0, idle_from=None)
    told = {0: [idle("a", 0), idle("b", 0)], 1: [unseen], 2: [idle("a", 2.25), idle("b", 2)], 3: [idle("a", 3)]}
    hours(one, told)
    assert since(one) == {"a": at(2.25), "b": at(2)}


def test_two_queues_of_one_hour_are_one_stretch() -> None:
    one = a_pool()
    hours(one, {0: [idle("a", 0)], 1: [idle("a", 1, held=H // 2), idle("a", 1.5, held=H // 2, queue="cq-a")]})
    (found,) = held_idle_pods(pool_ids=[one.pk], period=DAY, limit=9)
    assert (found.since, found.gpus, found.idle_held) == (at(0), Decimal(1), 2 * H)


def test_pods_are_found_by_the_beginning_of_their_name(django_assert_num_queries: object) -> None:
    one, other = a_pool("one"), a_pool("two")
    hours(one, {0: [pod("train-1"), pod("train-2", queue="cq-a")], 1: [pod("train-1"), pod("serve")]})
    hours(other, {2: [pod("train-9"), pod("tr%in")]})
    with django_assert_num_queries(2):  # type: ignore[operator]
        found = pods_named(text=" Train", pool_ids=[one.pk], limit=5)
    assert [(one.pod, one.queue, one.team, one.last_hour) for one in found] == [
        ("train-1", "cq-b", "research", at(1)),
        ("train-2", "cq-a", "serving", at(0)),
    ]
    everywhere = [one.pk, other.pk]
    assert [one.pod for one in pods_named(text="team/tra", pool_ids=everywhere, limit=1)] == ["train-9"]
    assert [one.pod for one in pods_named(text="tr%", pool_ids=everywhere, limit=9)] == ["tr%in"]
    assert pods_named(text="other/tra", pool_ids=everywhere, limit=9) == []
    assert pods_named(text="  ", pool_ids=everywhere, limit=9) == []


def test_hours_after_the_period_say_nothing_about_it() -> None:
    one = a_pool()
    hours(one, {0: [idle("a", 0)], 5: [idle("a", 5.5, busy=H)]})
    (found,) = held_idle_pods(pool_ids=[one.pk], period=Period(at(0), at(1)), limit=9)
    assert (found.last_hour, found.idle_held, found.since) == (at(0), H, at(0))
    assert found.last_hour + timedelta(hours=1) == at(1)
