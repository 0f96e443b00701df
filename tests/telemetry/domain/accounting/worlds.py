"""Random small fleets, once as the ledger's inputs and once as the oracle's."""

from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import strategies as st

from reservations.domain.held import PoolShape
from reservations.domain.period import hour_period
from telemetry.domain.accounting import Threshold, ledger_hour
from telemetry.domain.details import HourDetails
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.sample import (
    DeviceSeries,
    HourUsage,
    NodeUsage,
    PhaseSeries,
    Pod,
    PodQueueSeries,
    QueueSeries,
    RequestSeries,
    Samples,
)
from tests.telemetry.domain.accounting.minute_oracle import (
    MINUTE,
    STEP,
    OracleDevice,
    OracleNode,
    OracleQueue,
    Series,
)

HOUR_AT = datetime(2026, 11, 2, 10, tzinfo=UTC)
PERIOD = hour_period(HOUR_AT)
MINUTES = range(-14, 75)
PODS = ("a", "b", "c", "stray")
QUEUE_OF = {"a": "cq-a", "b": "cq-b", "c": "cq-b"}


def samples(series: Series) -> Samples:
    return tuple((PERIOD.start_ms + minute * MINUTE, value) for minute, value in sorted(series.items()))


def pod(name: str) -> Pod:
    return Pod("team", name)


def scrapes(values: st.SearchStrategy[float]) -> st.SearchStrategy[Series]:
    """Mostly regular scrapes at a random phase, some lost, some extra."""

    def build(phase: int, lost: set[int], extra: dict[int, float], regular: list[float]) -> Series:
        grid = [minute for minute in range(-14 + phase, 75, STEP) if minute // STEP not in lost]
        return {**dict(zip(grid, regular, strict=False)), **extra}

    return st.builds(
        build,
        phase=st.integers(0, STEP - 1),
        lost=st.sets(st.integers(-2, 7), max_size=3),
        extra=st.dictionaries(st.sampled_from(MINUTES), values, max_size=2),
        regular=st.lists(values, min_size=9, max_size=9),
    )


ACTIVITY = st.sampled_from([0.0, 0.0, 0.04, 0.05, 0.5, 0.9, 1.0, float("nan"), 2.0**47, -0.1, 1.01])
STEADY = st.sampled_from([1.0, 1.0, 1.0, 0.0])

DEVICES = st.builds(
    OracleDevice, st.sampled_from(["G1", "G2", "G3"]), st.sampled_from([None, *PODS]), scrapes(ACTIVITY)
)
NODES = st.builds(
    OracleNode,
    present=scrapes(STEADY),
    capacity=scrapes(st.sampled_from([0.0, 1.0, 2.0, 2.0, 3.0, 12.0])),
    devices=st.lists(DEVICES, max_size=5),
    requests=st.dictionaries(st.sampled_from(PODS), scrapes(st.sampled_from([0.0, 1.0, 2.0])), max_size=3),
    alive=st.dictionaries(st.sampled_from(PODS), scrapes(STEADY), max_size=4),
    usable_minutes=st.just(None),
)
QUEUES = st.dictionaries(
    st.sampled_from(["cq-a", "cq-b"]),
    st.builds(
        OracleQueue,
        cohort=st.booleans(),
        usage=scrapes(st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0])),
        nominal=scrapes(st.sampled_from([0.0, 1.0, 2.0, 4.0])),
    ),
)


def node_usage(name: str, node: OracleNode) -> NodeUsage:
    return NodeUsage(
        node=name,
        match_value="cr-1",
        presence=samples(node.present),
        capacity=samples(node.capacity),
        devices=tuple(
            DeviceSeries(f"{name}-{one.uuid}", samples(one.values), pod=pod(one.pod) if one.pod else None)
            for one in node.devices
        ),
        requests=tuple(RequestSeries(pod(p), "main", "nvidia_com_gpu", samples(s)) for p, s in node.requests.items()),
        phases=tuple(PhaseSeries(pod(p), samples(s)) for p, s in node.alive.items()),
    )


EVERYWHERE: Series = {minute: 1.0 for minute in range(-10, 75, STEP)}
WITNESS = NodeUsage("witness", "cr-1", samples(EVERYWHERE), samples({minute: 0.0 for minute in EVERYWHERE}))
"""A node without GPUs that is there all the time: a node that is gone left, it is not the source that fell silent."""


def usage_of(nodes: list[OracleNode], queues: dict[str, OracleQueue], **changes: object) -> HourUsage:
    facts: dict[str, object] = {
        "sm_exported": True,
        "pod_labels_exported": True,
        "node_data": True,
        "allocation_data": True,
        "queue_labels": True,
        "queue_metrics": True,
    }
    return HourUsage(
        period=PERIOD,
        step_ms=STEP * MINUTE,
        state_step_ms=STEP * MINUTE,
        nodes=[*(node_usage(f"n{i}", node) for i, node in enumerate(nodes)), WITNESS],
        queues=tuple(
            QueueSeries(name, "cohort" if q.cohort else "", "flavor", samples(q.usage), samples(q.nominal))
            for name, q in queues.items()
        ),
        pod_queues=tuple(PodQueueSeries(pod(p), q, samples(EVERYWHERE)) for p, q in QUEUE_OF.items()),
        **{**facts, **changes},
    )


def computed(usage: HourUsage, gpus: int = 2) -> LedgerHour:
    return computed_with_details(usage, gpus)[0]


def computed_with_details(usage: HourUsage, gpus: int = 2) -> tuple[LedgerHour, HourDetails]:
    return ledger_hour(
        hour=HOUR_AT,
        pool=PoolShape("pool", Decimal(gpus)),
        held=[],
        usage=usage,
        threshold=Threshold(Decimal("0.05")),
    )
