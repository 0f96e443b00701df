"""The pods that held GPUs idle."""

from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse

from reservations.domain import notation
from reservations.domain.period import HOUR
from telemetry.selectors.details import HeldIdlePod
from telemetry.tables import held_idle
from telemetry.tables.held_idle import IdlePod
from telemetry.views.addresses import kept, month_address
from telemetry.views.figures.figure import Figure
from telemetry.views.figures.material import Material


@dataclass(frozen=True, slots=True)
class Line:
    """One pod as the page writes it; ``address``: the last hour in which it held GPUs idle; ``only``: its
    team alone, blank where nobody knows it.
    """

    pod: HeldIdlePod
    gpus: str
    idle: str
    since: str
    until: str
    cost: str
    address: str
    only: str


def pods_held_idle(material: Material) -> Figure:
    """Most idle first, each with since when and, where allowed, its cost."""
    currency = material.worth.currency
    pods = [
        IdlePod(pod, pod.last_hour + HOUR >= material.asked.until, _cost(material, pod, currency))
        for pod in material.held_idle
    ]
    why, then = ("", "") if pods else _why_none(material)
    return Figure(
        name=held_idle.NAME,
        title=held_idle.TITLE,
        summary=held_idle.held_idle_summary(pods, currency, material.worth.why_not) if pods else "",
        sheet=held_idle.held_idle_sheet(pods, currency),
        why_empty=why,
        what_next=then,
        term="idle_held",
        term_label="held idle",
        template="telemetry/figures/held_idle_pods.html",
        more={
            "lines": [_line(one, material) for one in pods],
            "currency": currency,
            "pools": material.asked.pool is None,
        },
    )


def _why_none(material: Material) -> tuple[str, str]:
    if material.asked.team and material.hours:
        return f"Of the pods that are still known, none of {material.asked.team} held a GPU idle in this month.", ""
    return held_idle.why_no_pods(material.hours, _idle_held(material))


def _cost(material: Material, pod: HeldIdlePod, currency: str) -> Decimal | None:
    """At the mean reserved price of the hours that were paid in the month."""
    priced = material.priced[pod.pool_id]
    worth, paid = priced.worth, priced.use.paid
    return worth.paid * pod.idle_held / paid if worth.paid is not None and paid and worth.currency == currency else None


def _idle_held(material: Material) -> int | None:
    month = material.months[-1].totals if material.months else None
    return month.idle_held if month else None


def _line(one: IdlePod, material: Material) -> Line:
    zone, team = material.seen, one.pod.team
    return Line(
        pod=one.pod,
        gpus=notation.grouped(one.pod.gpus, 0 if one.pod.gpus == int(one.pod.gpus) else 1),
        idle=notation.gpu_hours(one.pod.idle_held),
        since=notation.instant(one.pod.since, zone),
        until="still idle" if one.still else notation.instant(one.until, zone),
        cost=notation.UNKNOWN if one.cost is None else notation.grouped(one.cost, 0 if one.cost >= 100 else 2),
        address=reverse(
            "telemetry:pool-hour", kwargs={"name": one.pod.pool, "hour": f"{one.pod.last_hour:%Y-%m-%dT%H}"}
        ),
        only=f"{month_address(material.asked)}{kept(material.request, team=team)}#{held_idle.NAME}" if team else "",
    )
