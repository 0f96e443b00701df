"""Two real workers collect the same hours at once, through their source."""

from datetime import timedelta

import pytest
from django.db import connection

from reservations.domain.period import Period
from telemetry.models import CollectionRun, PoolHour
from telemetry.services.collection import collect_hours
from telemetry.services.ledger import LEDGER_LOCK
from tests.telemetry.services.collected_fleet import HOUR, TEN, pool, reserve, source
from tests.telemetry.services.ledger_store import everything
from tests.telemetry.services.other_process import finished, running, until_blocked

pytestmark = pytest.mark.django_db(transaction=True)

COLLECT = """
from datetime import timedelta
from reservations.domain.period import Period
from telemetry.services.collection import collect_hours
from tests.telemetry.services.collected_fleet import HOUR, TEN
period = Period(TEN, TEN + 3 * HOUR)
report = collect_hours(pool_ids=[{pool}], period=period, as_of=TEN + timedelta(hours=3, days={days}))
print(sum(report.counts.values()))
"""


def test_two_workers_on_the_same_hours_at_once_leave_the_rows_one_would_have_left() -> None:
    sprint = pool("sprint-b200", source("main"))
    reserve(3)
    newest = TEN + timedelta(hours=3, days=2)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", [LEDGER_LOCK, sprint.pk])
        try:
            with (
                running(COLLECT.format(pool=sprint.pk, days=2)) as one,
                running(COLLECT.format(pool=sprint.pk, days=0)) as other,
            ):
                until_blocked(2)
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LEDGER_LOCK, sprint.pk])
                assert (finished(one), finished(other)) == ("3\n", "3\n")
        finally:
            cursor.execute("SELECT pg_advisory_unlock_all()")
    together = everything()
    assert len(together[0]) == 3
    assert all(row.final and row.read_at == newest for row in PoolHour.objects.all())
    assert CollectionRun.objects.count() == 6
    PoolHour.objects.all().delete()
    collect_hours(pool_ids=[sprint.pk], period=Period(TEN, TEN + 3 * HOUR), as_of=newest)
    assert together == everything()
