"""What stands behind an hour is kept with it, replaced with it, and let go when it is old."""

from dataclasses import replace
from datetime import datetime

import pytest

from reservations.domain.period import Period
from telemetry.domain.details import HourDetails
from telemetry.domain.ledger import LedgerHour
from telemetry.models import HeldPod, HourNode, HourPod, HourSuspect, PoolHour
from telemetry.selectors.details import hour_nodes, hour_pods
from telemetry.services.collection import collect_hours
from telemetry.services.ledger import StoreReport, store_hours
from telemetry.services.retention import forget_old_details
from telemetry.tasks import forget_old_details as task
from tests.telemetry.domain.lawful_rows import TEN, lawful
from tests.telemetry.services.collected_fleet import HOUR, pool, reserve, source
from tests.telemetry.services.collected_fleet import TEN as FLEET_TEN
from tests.telemetry.services.hour_details import at, behind, node, pod, suspect
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db


def stored(pool_id: int, *rows: LedgerHour, read: float = 5, **details: HourDetails) -> StoreReport:
    behind_hours = {row.hour: details[f"h{(row.hour - TEN) // HOUR}"] for row in rows if details}
    return store_hours(pool_id=pool_id, source="main", hours=rows, read_at=at(read), details=behind_hours)


def kept(pool_id: int, hour: datetime = TEN) -> tuple[object, ...]:
    suspects = HourSuspect.objects.filter(pool_hour__pool_id=pool_id, pool_hour__hour=hour)
    told = suspects.order_by("uuid").values_list("node", "uuid", "what", "why")
    return hour_nodes(pool_id=pool_id, hour=hour), hour_pods(pool_id=pool_id, hour=hour), list(told)


def test_what_stands_behind_an_hour_comes_back_as_it_was_with_the_teams_of_its_queues() -> None:
    one = a_pool()
    pods = (pod("a"), pod("a", uid=""), pod("b", queue="cq-a"), pod("c", queue=""), pod("c", queue="cq-x"))
    stored(one.pk, lawful(), h0=behind(*pods, nodes=(node("n2", busy=None), node("n1")), suspects=(suspect(),)))
    nodes, found, suspects = kept(one.pk)
    assert nodes == [node("n1"), node("n2", busy=None)]
    teams = {"cq-a": "serving", "cq-b": "research"}
    told = [replace(use, team=teams.get(use.cluster_queue, "")) for use in pods]
    assert found == sorted(told, key=lambda use: (use.pod, use.uid, use.cluster_queue))
    assert suspects == [("n1", "GPU-1", "frozen", suspect().why)]
    assert HeldPod.objects.count() == 4


def test_an_hour_that_is_replaced_takes_what_stood_behind_it_along() -> None:
    one = a_pool()
    stored(one.pk, lawful(), h0=behind(pod("a"), suspects=(suspect(),)))
    stored(one.pk, lawful(busy=5), read=6, h0=behind(pod("b"), nodes=(node("n9"),)))
    nodes, pods, suspects = kept(one.pk)
    assert ([one.node for one in nodes], [one.pod for one in pods], suspects) == (["n9"], ["b"], [])
    stored(one.pk, lawful(busy=4), read=7)
    assert kept(one.pk) == ([], [], [])
    assert not HourPod.objects.exists()


def test_the_same_hour_over_other_pods_says_which_they_are() -> None:
    one = a_pool()
    stored(one.pk, lawful(), h0=behind(pod("a")))
    report = stored(one.pk, lawful(), read=6, h0=behind(pod("b")))
    assert report.unchanged == [TEN]
    assert [use.pod for use in kept(one.pk)[1]] == ["b"]
    again = stored(one.pk, lawful(), read=7, h0=behind(pod("b")))
    assert again.unchanged == [TEN]
    assert HourPod.objects.count() == HourNode.objects.count() == 1


def test_a_refused_reading_leaves_what_stands_behind_the_hour_alone() -> None:
    one = a_pool()
    stored(one.pk, lawful(), h0=behind(pod("a")))
    store_hours(pool_id=one.pk, source="other", hours=[lawful()], read_at=at(6), details={TEN: behind(pod("b"))})
    stored(one.pk, lawful(), read=1, h0=behind(pod("c")))
    assert [use.pod for use in kept(one.pk)[1]] == ["a"]


def test_any_order_of_readings_ends_with_what_stands_behind_the_newest() -> None:
    ends = []
    for number, order in enumerate([(5, 6, 7), (7, 6, 5), (6, 7, 5), (7, 7, 5)]):
        one = a_pool(f"pool-{number}")
        for read in order:
            stored(one.pk, lawful(busy=read), read=read, h0=behind(pod(f"of-{read}")))
        ends.append([use.pod for use in kept(one.pk)[1]])
    assert ends == [["of-7"]] * 4


def test_one_pod_has_one_row_over_all_its_hours_and_pools_do_not_share_it() -> None:
    for name in ("one", "two"):
        of = a_pool(name)
        stored(of.pk, lawful(0), lawful(1), h0=behind(pod("a")), h1=behind(pod("a"), pod("b")))
    assert HeldPod.objects.count() == 4
    assert HourPod.objects.count() == 6


def test_old_nodes_and_pods_go_and_the_hours_stay() -> None:
    one, other = a_pool("one"), a_pool("two")
    for of in (one, other):
        first, second = behind(pod("a"), pod("b"), suspects=(suspect(),)), behind(pod("b"))
        stored(of.pk, lawful(0), lawful(1), h0=first, h1=second)
    assert forget_old_details(before=at(1)) == 2
    assert kept(one.pk) == ([], [], [])
    assert [use.pod for use in kept(other.pk, at(1))[1]] == ["b"]
    assert sorted(HeldPod.objects.values_list("name", flat=True)) == ["b", "b"]
    assert PoolHour.objects.count() == 4
    assert not HourSuspect.objects.exists()
    assert forget_old_details(before=at(1)) == 0


def test_a_pod_that_went_with_its_hours_may_come_back() -> None:
    one = a_pool()
    stored(one.pk, lawful(0), h0=behind(pod("a")))
    forget_old_details(before=at(1))
    stored(one.pk, lawful(1), h1=behind(pod("a")))
    assert [use.pod for use in kept(one.pk, at(1))[1]] == ["a"]


def test_the_nightly_task_lets_go_of_what_is_older_than_the_setting() -> None:
    one = a_pool()
    stored(one.pk, lawful(0), h0=behind(pod("a")))
    task()
    assert kept(one.pk) == ([], [], [])


def test_collection_keeps_what_stands_behind_every_hour_it_computes() -> None:
    one = pool("serving-h100", source("fleet"))
    reserve(3)
    period = Period(FLEET_TEN, FLEET_TEN + 3 * HOUR)
    collect_hours(pool_ids=[one.pk], period=period, as_of=FLEET_TEN + 4 * HOUR)
    nodes, pods, _ = kept(one.pk, FLEET_TEN + 2 * HOUR)
    row = PoolHour.objects.get(hour=FLEET_TEN + 2 * HOUR)
    for name in ("expected", "known", "busy", "idle_held", "idle_free"):
        assert sum(getattr(use, name) for use in nodes) == getattr(row, name) > 0, name
    assert sum(use.idle_held for use in pods) == row.idle_held
    assert sum(use.allocated for use in pods) == row.allocated
    assert sum(use.busy for use in pods) == row.busy - row.unattributed_busy
