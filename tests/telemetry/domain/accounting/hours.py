"""Hours of one small node after another, for tests of single rules."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from reservations.domain.held import AvailableSeen, Held, PoolShape, SizeSpan
from telemetry.domain.accounting import Threshold, ledger_hour
from telemetry.domain.details import HourDetails
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.sample import (
    DeviceSeries,
    HourUsage,
    NodeUsage,
    Samples,
)
from tests.telemetry.domain.accounting.worlds import HOUR_AT, PERIOD

HOUR = 3_600_000
STEP = 30_000


def steady(value: float, start: float = -1, end: float = 61) -> Samples:
    """A sample every 30 s from one minute to another, the first after ``start``."""
    first, last = int(start * 2) + 1, int(end * 2)
    return tuple((PERIOD.start_ms + i * STEP, value) for i in range(first, last + 1))


def gpu(uuid: str, value: float = 0.9, **labels: object) -> DeviceSeries:
    return DeviceSeries(uuid, steady(value), **labels)


def node(*devices: DeviceSeries, capacity: float = 4, **more: object) -> NodeUsage:
    return NodeUsage("n1", "cr-1", steady(1), steady(capacity), devices=devices, **more)


def usage(*nodes: NodeUsage, **changes: object) -> HourUsage:
    everything = HourUsage(
        period=PERIOD,
        step_ms=STEP,
        state_step_ms=STEP,
        nodes=nodes,
        sm_exported=True,
        pod_labels_exported=True,
        node_data=True,
        allocation_data=True,
        queue_labels=True,
        queue_metrics=True,
    )
    return replace(everything, **changes)


def held(**changes: object) -> Held:
    start = HOUR_AT - timedelta(days=1)
    seen = tuple(AvailableSeen(HOUR_AT + timedelta(minutes=5 * i), 0) for i in range(-1, 12))
    whole = Held("cr-1", (SizeSpan(start, None, 1),), seen, start, None, None)
    return replace(whole, **changes)


def row_of(hour: HourUsage | None, *reservations: Held, gpus: str = "4", queues: tuple[str, ...] = ()) -> LedgerHour:
    return hour_of(hour, *reservations, gpus=gpus, queues=queues)[0]


def hour_of(
    hour: HourUsage | None, *reservations: Held, gpus: str = "4", queues: tuple[str, ...] = ()
) -> tuple[LedgerHour, HourDetails]:
    return ledger_hour(
        hour=HOUR_AT,
        pool=PoolShape("pool", Decimal(gpus), queues=queues),
        held=reservations or (held(),),
        usage=hour,
        threshold=Threshold(Decimal("0.05")),
    )
