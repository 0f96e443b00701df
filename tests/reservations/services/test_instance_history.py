"""Running instances as rows: the same whatever order sweeps come in, and nothing said where none was asked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reservations.domain.instance_history import Lifecycle, RunningInstance
from reservations.domain.listing import Sweep
from reservations.models import Account, InstanceSpan, SyncRun
from reservations.services.instance_history import forget_instances
from reservations.services.sweeps import record_sweeps

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
H100, A100 = "p5.48xlarge", "p4d.24xlarge"
OUTSIDE = RunningInstance("i-0a", H100, "use1-az4", "Linux/UNIX", "default", preference="open")
INSIDE = replace(OUTSIDE, reservation_id="cr-0a")
OTHER = RunningInstance("i-0b", A100, lifecycle=Lifecycle.SPOT)


@pytest.fixture(autouse=True)
def _account() -> None:
    Account.objects.create(name="prod", account_id="111122223333", regions=["us-east-1"])


def sweep(
    minute: float, *running: RunningInstance, shapes: tuple[str, ...] = (A100, H100), whole: bool = True
) -> Sweep:
    at = NOON + timedelta(minutes=minute)
    return Sweep("prod", "111122223333", "us-east-1", at, complete=whole, instances=running, instance_shapes=shapes)


def rows() -> list[tuple[str, str, float, float]]:
    def minute(at: datetime) -> float:
        return (at - NOON) / timedelta(minutes=1)

    found = InstanceSpan.objects.order_by("instance_id", "seen_from")
    return [(row.instance_id, row.reservation_id, minute(row.seen_from), minute(row.seen_until)) for row in found]


def test_an_instance_is_one_row_for_as_long_as_nothing_about_it_changes() -> None:
    for minute in (0, 5, 10):
        record_sweeps(sweeps=[sweep(minute, OUTSIDE, OTHER)])
    record_sweeps(sweeps=[sweep(15, INSIDE), sweep(20, INSIDE)])
    assert rows() == [("i-0a", "", 0, 10), ("i-0a", "cr-0a", 15, 20), ("i-0b", "", 0, 10)]


def test_an_instance_that_was_gone_for_a_while_has_two_rows() -> None:
    record_sweeps(sweeps=[sweep(0, OUTSIDE), sweep(5), sweep(10, OUTSIDE)])
    assert rows() == [("i-0a", "", 0, 0), ("i-0a", "", 10, 10)]


def test_a_listing_that_did_not_ask_for_a_shape_says_nothing_of_it() -> None:
    record_sweeps(sweeps=[sweep(0, OUTSIDE), sweep(5, shapes=(A100,)), sweep(10, OUTSIDE)])
    assert rows() == [("i-0a", "", 0, 10)]
    assert list(SyncRun.objects.order_by("as_of").values_list("instance_shapes", flat=True)) == [
        [A100, H100],
        [A100],
        [A100, H100],
    ]


def test_a_sweep_without_the_optional_call_leaves_its_run_unmarked() -> None:
    record_sweeps(sweeps=[sweep(0, shapes=()), sweep(5, whole=False)])
    assert list(SyncRun.objects.values_list("instance_shapes", flat=True)) == [None, None]


def test_what_was_listed_at_an_instant_once_stands() -> None:
    record_sweeps(sweeps=[sweep(0, OUTSIDE)])
    record_sweeps(sweeps=[sweep(0)])
    record_sweeps(sweeps=[sweep(0, shapes=())])
    assert rows() == [("i-0a", "", 0, 0)]
    assert SyncRun.objects.get().instance_shapes == [A100, H100]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.lists(st.sampled_from([(), (OUTSIDE,), (INSIDE, OTHER)]), min_size=2, max_size=7),
    data=st.data(),
)
def test_the_rows_are_the_same_in_any_order_and_any_batches(said: list[tuple], data: st.DataObject) -> None:
    sweeps = [sweep(5 * number, *running) for number, running in enumerate(said)]
    InstanceSpan.objects.all().delete()
    SyncRun.objects.all().delete()
    record_sweeps(sweeps=sweeps)
    straight = rows()
    InstanceSpan.objects.all().delete()
    SyncRun.objects.all().delete()
    mixed = data.draw(st.permutations(sweeps))
    cut = data.draw(st.integers(0, len(mixed)))
    for batch in (mixed[:cut], mixed[cut:], mixed[:cut]):
        record_sweeps(sweeps=batch)
    assert rows() == straight


def test_what_was_last_seen_before_an_instant_is_forgotten() -> None:
    record_sweeps(sweeps=[sweep(0, OUTSIDE), sweep(5, OTHER), sweep(10, OTHER)])
    assert forget_instances(before=NOON + timedelta(minutes=7)) == 1
    assert rows() == [("i-0b", "", 5, 10)]
