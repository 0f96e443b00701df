"""The demo fleet goes through the same services as anybody's: a few days of it, end to end."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from reservations.models import Account, Owner, Pool, PriceQuote, Reservation, ReservationSize, SyncRun, User
from scheduler.alerts import RULES
from scheduler.models import AlertEpisode, Recommendation
from scheduler.services.demo import LOGINS, Load, UnableToLoadDemo, load_demo
from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolHourQueue

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 18, 12, 2, tzinfo=UTC)
MIDNIGHT = NOON.replace(hour=0, minute=0)
NODE_HOUR = 8 * 3_600_000
POOLS = ["notebooks-a100", "pilot-l40s", "serving-h100", "sprint-b200", "training-h200"]


def load(as_of: datetime = NOON, **said: object) -> Load:
    return load_demo(as_of=as_of, ec2_port=8009, sampled_days=4, past_days=3, **said)


def versions() -> dict[str, set[tuple[object, ...]]]:
    """Where every row lies and which transaction wrote it: an update that changes nothing shows too."""
    seen = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT ctid::text, xmin::text FROM "{table}"')
            seen[table] = set(cursor.fetchall())
    return seen


def broken_rows(condition: str) -> int:
    """How many ledger hours break a condition, asked of the stored rows themselves."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM telemetry_poolhour WHERE NOT ({condition})")
        return int(cursor.fetchone()[0])


def test_a_few_days_of_the_fleet_are_loaded_continued_and_never_loaded_twice() -> None:
    first = load()
    assert first.pool_hours == 4 * (7 * 24 + 11)  # the hour that ended two minutes ago is not due yet
    assert sorted(Pool.objects.values_list("name", flat=True)) == POOLS
    assert SyncRun.objects.filter(account__name="demo").count() == first.sweeps == 3 + 4 * 288 + 12 * 12 + 1
    _the_ledger_adds_up()
    _the_story_shows()
    _people_can_log_in()

    assert sorted(Recommendation.objects.values_list("pool__name", flat=True)) == POOLS

    before = versions()
    assert load(NOON + timedelta(seconds=50)) == Load(0, 0)
    assert versions() == before

    later = load(NOON + timedelta(hours=3))
    assert later == Load(36, 12)
    assert MetricsSource.objects.get().url == "synthetic://7/2026-05-18"
    _the_ledger_adds_up()


def _the_ledger_adds_up() -> None:
    for condition in (
        "reserved = ec2_unused + not_joined + not_observed + unknown + coalesce(idle, 0) + coalesce(busy, 0)",
        "idle = idle_held + idle_free",
        "busy = owner_busy + borrower_busy + unmanaged_busy + unattributed_busy",
        "known + unknown = expected",
        "0 <= sm AND sm <= busy + 0.05 * idle",
        "0 <= allocated AND allocated <= expected",
        "not_observed = 0 AND not_joined >= 0",
    ):
        assert broken_rows(condition) == 0, condition
    assert not PoolHour.objects.filter(flags__contains=["identity_violated"]).exists()
    assert PoolHourQueue.objects.filter(pool_hour__pool__name="serving-h100", cluster_queue="serving").exists()


def _the_story_shows() -> None:
    night = PoolHour.objects.get(pool__name="training-h200", hour=MIDNIGHT - timedelta(days=4, hours=-20))
    assert night.not_joined == NODE_HOUR  # the node that failed
    empty = PoolHour.objects.get(pool__name="notebooks-a100", hour=MIDNIGHT - timedelta(days=1, hours=-3))
    assert empty.ec2_unused >= 6 * NODE_HOUR
    assert empty.idle_held > 5 * empty.busy
    grown = ReservationSize.objects.filter(reservation__tags__pool="serving-h100").order_by("period")
    assert [size.instances for size in grown][-2:] == [8, 10]
    block = Reservation.objects.get(kind="block", state="active", tags__pool="sprint-b200")
    assert block.end_at == datetime(2026, 5, 20, 11, 30, tzinfo=UTC)
    assert CollectionRun.objects.exclude(status="stored").count() == 0
    assert not PoolHour.objects.filter(hour__lt=NOON - timedelta(days=2), final=False).exists()


def _people_can_log_in() -> None:
    assert {login.name for login in LOGINS} == set(User.objects.values_list("username", flat=True))
    assert all(authenticate(username=login.name, password=login.password) for login in LOGINS)
    assert not User.objects.filter(is_superuser=True).exists()


def test_a_database_with_other_pools_is_left_alone() -> None:
    owner = Owner.objects.create(name="robotics")
    Pool.objects.create(name="reserved-b300", owner=owner, instance_type="p6-b300.48xlarge", gpus_per_node=8)
    with pytest.raises(UnableToLoadDemo, match="already has the pool “reserved-b300”"):
        load()
    assert (Pool.objects.count(), Account.objects.count(), PriceQuote.objects.count()) == (1, 0, 0)


def test_the_command_refuses_in_one_line() -> None:
    owner = Owner.objects.create(name="robotics")
    Pool.objects.create(name="reserved-b300", owner=owner, instance_type="p6-b300.48xlarge", gpus_per_node=8)
    with pytest.raises(CommandError, match="use --force") as refused:
        call_command("load_demo", stdout=StringIO(), stderr=StringIO())
    assert "\n" not in str(refused.value)


def test_a_password_somebody_chose_is_kept() -> None:
    User.objects.create_user("analyst", password="a long one of their own")
    load_demo(as_of=NOON, ec2_port=8009, sampled_days=0, past_days=0)
    assert authenticate(username="analyst", password="a long one of their own")


def test_every_rule_that_needs_no_month_finds_something_in_the_demo() -> None:
    load_demo(as_of=NOON, ec2_port=8009, sampled_days=2, past_days=0)

    found = set(AlertEpisode.objects.values_list("rule", flat=True))
    assert set(RULES) - found == {"below_break_even"}
