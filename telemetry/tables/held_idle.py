"""The pods that held GPUs idle: how much, since when, and what that cost at the reserved price."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.period import HOUR
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.selectors.details import HeldIdlePod
from telemetry.tables.usage import gpu_hours

NAME = "held-idle-pods"
TITLE = "Pods that held GPUs idle"

COLUMNS = (
    Column("pod", "pod", Kind.TEXT),
    Column("namespace", "namespace", Kind.TEXT),
    Column("pool", "pool", Kind.TEXT),
    Column("cluster_queue", "queue", Kind.TEXT, "", "cluster_queue"),
    Column("team", "team", Kind.TEXT),
    Column("gpus_held_idle", "holds", Kind.GPU_HOURS, "GPUs"),
    Column("idle_held_gpu_hours", "held idle", Kind.GPU_HOURS, "GPU-hours", "idle_held"),
    Column("idle_since", "idle since", Kind.INSTANT),
    Column("idle_until", "until", Kind.INSTANT),
    Column("still_idle", "still idle", Kind.YES_NO),
)


@dataclass(frozen=True, slots=True)
class IdlePod:
    """One pod and what it cost to hold GPUs idle; ``still``: it did so in the newest hour that was due."""

    pod: HeldIdlePod
    still: bool
    cost: Decimal | None

    @property
    def until(self) -> datetime:
        """The end of the last hour in which it held some idle."""
        return self.pod.last_hour + HOUR


def held_idle_sheet(pods: Sequence[IdlePod], currency: str) -> Sheet:
    """One row for each pod, most idle first; with its cost where amounts are of one currency."""
    money = (Column("idle_held_cost", "cost", Kind.MONEY, currency),) if currency else ()
    rows = tuple((*_row(one), one.cost) if currency else _row(one) for one in pods)
    return Sheet(NAME, TITLE, (*COLUMNS, *money), rows)


def held_idle_summary(pods: Sequence[IdlePod], currency: str, why_no_cost: str) -> str:
    """How much they held idle together, how many still do, what it cost or why that is not known."""
    held = notation.gpu_hours(sum(one.pod.idle_held for one in pods))
    counted = "1 pod" if len(pods) == 1 else f"{len(pods)} pods"
    still = sum(one.still for one in pods)
    ongoing = "none of them still does" if not still else f"{still} of them still {'does' if still == 1 else 'do'}"
    said = f"{counted} held {held} GPU-hours idle; {ongoing}."
    costs = [one.cost for one in pods if one.cost is not None]
    if not currency or not costs:
        return f"{said} Without money: {why_no_cost}" if why_no_cost else said
    return f"{said} That cost {notation.amount(sum(costs, Decimal(0)), currency)} at the month's mean reserved price."


def why_no_pods(hours: int, idle_held: int | None) -> tuple[str, str]:
    """Why no pod is listed in so many hours, and what to do about it."""
    if not hours:
        return "No hour of this month is in the ledger.", ""
    if idle_held is None:
        why = "Whether idle GPUs were held by a pod is not known in any hour of this month."
        return why, "Let the exporter map pods to devices."
    if idle_held:
        why = f"Pods held {notation.gpu_hours(idle_held)} GPU-hours idle, but which ones is kept for a while only."
        return why, ""
    return "No pod held a GPU idle in this month.", ""


def _row(one: IdlePod) -> tuple[object, ...]:
    pod = one.pod
    return (
        pod.pod,
        pod.namespace,
        pod.pool,
        pod.queue or None,
        pod.team or None,
        pod.gpus,
        gpu_hours(pod.idle_held),
        pod.since,
        one.until,
        one.still,
    )
