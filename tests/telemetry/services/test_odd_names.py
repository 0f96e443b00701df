"""Names no database can hold, out of a source's labels, stop neither their hour nor the other hours of the pool."""

import pytest

from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.models import HeldPod, HourNode, HourPod, HourSuspect, PoolDayQueue, PoolHourQueue
from telemetry.services.ledger import store_hours
from tests.telemetry.domain.lawful_rows import TEN, H, lawful
from tests.telemetry.services.hour_details import at, behind, node, pod, suspect
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db
ODD = ("x" * 400, "x" * 401, "a\0b", "\ud800", "e" * 300 + "\0")


def odd_hour() -> LedgerHour:
    queues = (
        QueueHour("", unattributed_busy=2 * H, allocated=0),
        QueueHour(ODD[0], owner_busy=2 * H, allocated=2 * H),
        QueueHour(ODD[2], borrower_busy=2 * H, allocated=H),
    )
    return lawful(queues=queues, flags=("no_pod_labels",), notes=(("no_pod_labels", "one \0 label"),))


def test_hours_with_names_that_cannot_be_kept_are_stored_with_all_that_stands_behind_them() -> None:
    one = a_pool()
    pods = [pod(name, uid=name, namespace=name, queue=ODD[0]) for name in ODD]
    told = behind(*pods, nodes=tuple(map(node, ODD)), suspects=tuple(map(suspect, ODD)))
    for read in (5, 6):
        report = store_hours(pool_id=one.pk, source="main", hours=[odd_hour()], read_at=at(read), details={TEN: told})
        assert not report.refused
    assert report.unchanged == [TEN]
    for model in (HeldPod, HourNode, HourPod, HourSuspect):
        assert model.objects.count() == len(ODD)
    assert PoolHourQueue.objects.count() == PoolDayQueue.objects.count() == 3
