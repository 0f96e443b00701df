"""Several real processes on the same hours, and one that is killed while it writes them."""

import os
import signal
from datetime import timedelta

import pytest
from django.db import connection, transaction

from telemetry.models import PoolHour
from telemetry.services.ledger import LEDGER_LOCK, store_hours
from tests.telemetry.domain.lawful_rows import TEN, H, lawful
from tests.telemetry.services.ledger_store import a_pool, everything
from tests.telemetry.services.other_process import finished, running, until_blocked

pytestmark = pytest.mark.django_db(transaction=True)

HOURS = 24
STORE = """
from datetime import timedelta
from tests.telemetry.domain.lawful_rows import TEN, H, lawful
from telemetry.services.ledger import store_hours
rows = [lawful(number, busy={busy} * H) for number in range({hours})][::{step}]
report = store_hours(pool_id={pool}, source="main", hours=rows, read_at=TEN + timedelta(days=3, hours={busy}))
print(len(report.stored), len(report.refused))
"""


def script(pool_id: int, busy: int, step: int = 1) -> str:
    return STORE.format(pool=pool_id, busy=busy, hours=HOURS, step=step)


@pytest.mark.parametrize("newest", [2, 3])
def test_two_processes_on_the_same_hours_at_once_end_in_the_newest_reading_whole(newest: int) -> None:
    pool = a_pool()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", [LEDGER_LOCK, pool.pk])
        try:
            with running(script(pool.pk, newest)) as one:
                until_blocked(1)
                with running(script(pool.pk, 5 - newest, step=-1)) as other:
                    until_blocked(2)
                    cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LEDGER_LOCK, pool.pk])
                    said = sorted([finished(one), finished(other)])
        finally:
            cursor.execute("SELECT pg_advisory_unlock_all()")
    assert said in (["0 24\n", "24 0\n"], ["24 0\n", "24 0\n"])
    together = everything()
    PoolHour.objects.all().delete()
    store(pool.pk, 3)
    assert together == everything()


def test_a_process_killed_while_it_writes_leaves_the_old_hours_whole_and_the_next_one_free_to_work() -> None:
    pool = a_pool()
    store(pool.pk, 1)
    before = everything()
    with running(script(pool.pk, 2)) as victim:
        with transaction.atomic(), connection.cursor() as cursor:
            # Its hours are written when it comes to wait here for the queues' table, the pool's lock in its hand.
            cursor.execute("LOCK TABLE telemetry_poolhourqueue IN EXCLUSIVE MODE")
            until_blocked(1)
            cursor.execute(
                "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
                " WHERE datname = current_database() AND locktype = 'advisory' AND classid = %s",
                [LEDGER_LOCK],
            )
            assert cursor.fetchone() == (1,)
            os.kill(victim.pid, signal.SIGKILL)
            victim.wait(30)
        assert victim.returncode == -signal.SIGKILL
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '30s'")
            cursor.execute("SELECT pg_advisory_lock(%s, %s), pg_advisory_unlock_all()", [LEDGER_LOCK, pool.pk])
            cursor.execute("RESET lock_timeout")
        assert everything() == before
        assert store(pool.pk, 3) == HOURS
    assert PoolHour.objects.count() == HOURS
    assert set(PoolHour.objects.values_list("busy", flat=True)) == {3 * H}


def store(pool_id: int, busy: int) -> int:
    rows = [lawful(number, busy=busy * H) for number in range(HOURS)]
    read_at = TEN + timedelta(days=3, hours=busy)
    return len(store_hours(pool_id=pool_id, source="main", hours=rows, read_at=read_at).stored)
