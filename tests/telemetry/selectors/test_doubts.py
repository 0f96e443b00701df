"""Hours in doubt, against a plain walk over every hour."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reservations.domain.period import Period
from reservations.models import Owner, Pool
from telemetry.models import PoolDay, PoolHour
from telemetry.selectors.doubts import doubt_runs
from telemetry.services.days import refresh_days

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
NOW = datetime(2026, 5, 9, 12, 30, tzinfo=UTC)
START = datetime(2026, 5, 6, 9, tzinfo=UTC)
PERIOD = Period(START, NOW.replace(minute=0))
EVERY = list(PERIOD.hours())
BEFORE = START - 2 * HOUR


@pytest.fixture
def pools() -> list[Pool]:
    owner = Owner.objects.create(name="serving")
    return [Pool.objects.create(name=name, owner=owner, instance_type="p5", gpus_per_node=8) for name in "ab"]


def put(pool: Pool, hours: dict[datetime, tuple[list[str], bool]]) -> None:
    PoolHour.objects.filter(pool=pool).delete()
    PoolDay.objects.filter(pool=pool).delete()
    PoolHour.objects.bulk_create(
        PoolHour(
            pool=pool,
            hour=hour,
            reserved=0,
            paid=0,
            flags=flags,
            notes={flag: f"{flag} at {hour:%H}" for flag in flags},
            final=final,
            read_at=hour + HOUR,
        )
        for hour, (flags, final) in hours.items()
    )
    refresh_days(pool_id=pool.pk, hours=hours)


def told(pools: list[Pool], flag: str = "") -> set[tuple[int, str, datetime, datetime]]:
    found = doubt_runs(pool_ids=[one.pk for one in pools], period=PERIOD, as_of=NOW, flag=flag, limit=1000)
    assert found.total == len(found.runs)
    return {(run.pool_id, run.flag, run.period.start, run.period.end) for run in found.runs}


def walked(pool: Pool, hours: dict[datetime, tuple[list[str], bool]]) -> set[tuple[int, str, datetime, datetime]]:
    """The same by looking at one hour after another."""
    runs: set[tuple[int, str, datetime, datetime]] = set()
    for flag in ("thin", "odd", "missing", "not_final"):
        open_since = None
        for hour in [*EVERY, None]:
            doubted = hour is not None and _doubted(hour, flag, hours)
            if doubted and open_since is None:
                open_since = hour
            if not doubted and open_since is not None:
                runs.add((pool.pk, flag, open_since, hour or PERIOD.end))
                open_since = None
    return runs


def _doubted(hour: datetime, flag: str, hours: dict[datetime, tuple[list[str], bool]]) -> bool:
    if flag == "missing":
        return hour not in hours and (not hours or hour > min(hours)) and hour + HOUR + timedelta(minutes=5) <= NOW
    if hour not in hours:
        return False
    flags, final = hours[hour]
    if flag == "not_final":
        return not final and hour + HOUR + timedelta(hours=25) <= NOW.replace(minute=0)
    return flag in flags


@given(
    st.dictionaries(
        st.sampled_from([BEFORE, *EVERY]),
        st.tuples(st.lists(st.sampled_from(["thin", "odd"]), unique=True), st.booleans()),
    )
)
@example({EVERY[-26]: ([], False)})  # ended 25 h before NOW's hour: the first that is late
@example({EVERY[-25]: ([], False)})
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_runs_are_those_of_a_plain_walk(pools: list[Pool], hours: dict[datetime, tuple[list[str], bool]]) -> None:
    put(pools[0], hours)
    assert told(pools[:1]) == walked(pools[0], hours)
    assert told(pools[:1], "thin") == {run for run in walked(pools[0], hours) if run[1] == "thin"}


def test_pools_are_apart_and_the_newest_run_says_its_newest_hour(pools: list[Pool]) -> None:
    whole = dict.fromkeys(EVERY, ([], True))
    put(pools[0], {**whole, EVERY[-3]: (["thin"], True), EVERY[-2]: (["thin"], True)})
    put(pools[1], {**whole, EVERY[-1]: (["thin"], True)})
    found = doubt_runs(pool_ids=[one.pk for one in pools], period=PERIOD, as_of=NOW, limit=1)
    assert (found.total, found.flags) == (2, ("thin",))
    assert [(run.pool_id, run.hours) for run in found.runs] == [(pools[1].pk, 1)]
    second = doubt_runs(pool_ids=[one.pk for one in pools], period=PERIOD, as_of=NOW, limit=1, offset=1)
    assert second.runs[0].sentence == f"thin at {EVERY[-2]:%H}"


def test_no_pool_has_no_doubt() -> None:
    found = doubt_runs(pool_ids=[], period=PERIOD, as_of=NOW, limit=10)
    assert (found.runs, found.total, found.flags) == ((), 0, ())
