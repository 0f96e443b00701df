"""Nodes and pods of an hour read literally, minute by minute, by none of the accounting's code."""

from collections import Counter
from fractions import Fraction

from tests.telemetry.domain.accounting.minute_oracle import MINUTE, OracleNode, device_at, finite


def by_node(node: OracleNode, gpus: int) -> Counter:
    """expected, known, busy, idle_held and idle_free of one node in GPU-milliseconds."""
    sums: Counter = Counter()
    for minute in range(1, 61):
        physical, counted = _counted(node, minute, gpus)
        sums["expected"] += physical * MINUTE
        for value, pods in counted:
            sums["known"] += MINUTE
            kind = "busy" if value >= 0.05 else "idle_held" if pods else "idle_free"
            sums[kind] += MINUTE
    return sums


def by_pod(nodes: list[OracleNode], gpus: int) -> Counter:
    """(pod, busy or idle_held) → GPU-milliseconds, each device's time equally between the pods on it."""
    sums: Counter = Counter()
    for node in nodes:
        for minute in range(1, 61):
            for value, pods in _counted(node, minute, gpus)[1]:
                for pod in pods:
                    sums[pod, "busy" if value >= 0.05 else "idle_held"] += Fraction(MINUTE, len(pods))
    return sums


def idle_from(nodes: list[OracleNode], gpus: int) -> dict[str, int]:
    """pod → the minute of the hour since which none of its devices was busy."""
    first_idle: dict[str, int] = {}
    last_busy: dict[str, int] = {}
    for minute in range(1, 61):
        for value, pods in (one for node in nodes for one in _counted(node, minute, gpus)[1]):
            for pod in pods:
                if value >= 0.05:
                    last_busy[pod] = minute
                else:
                    first_idle.setdefault(pod, minute - 1)
    return first_idle | last_busy


def there(node: OracleNode) -> bool:
    """Whether a node was in the pool in any minute of the hour."""
    return any(finite(node.present, minute) for minute in range(1, 61))


def _counted(node: OracleNode, minute: int, gpus: int) -> tuple[int, list[tuple[float, set[str]]]]:
    present, capacity = finite(node.present, minute), finite(node.capacity, minute)
    if not present or capacity is None:
        return 0, []
    physical = int(min(capacity, gpus))
    seen = [device_at(node, uuid, minute) for uuid in sorted({device.uuid for device in node.devices})]
    reporting = [one for one in seen if one is not None][:physical]
    return physical, [(value, pods) for value, pods in reporting if value is not None]
