"""The sums that stand under the waterfall's bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.rollup import LedgerSum
from telemetry.domain.waterfall import STEPS, Step, Waterfall

ALWAYS = tuple(name for name in STEPS if name not in {"not_observed", "idle_unsplit", "busy_unsplit", "not_accounted"})
"""Steps that are shown even when they are zero: their absence would be a question."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar in words; ``left`` and ``width`` place it on a line of 100 (a step that climbs has its own width)."""

    name: str
    label: str
    hours: str
    share: str
    money: str
    why: str
    left: str
    width: str

    @property
    def linked(self) -> bool:
        """Whether there are hours behind it to show."""
        return self.name != "reserved" and not self.why and self.hours != "0"


def shown_steps(fall: Waterfall) -> tuple[Step, ...]:
    """The steps worth a bar, in order."""
    return tuple(step for step in fall.steps if step.gpu_ms or step.name in ALWAYS)


def bars(fall: Waterfall, steps: Sequence[Step], costs: Mapping[str, Decimal | None]) -> tuple[Bar, ...]:
    """Reserved, at what was paid for it, and each step; ``costs`` by those names, empty where no price is known."""
    whole = fall.reserved
    full = "100" + notation.THIN + "%" if whole else notation.UNKNOWN
    rows = [Bar("reserved", "reserved", notation.gpu_hours(whole), full, _money(costs.get("paid")), "", "0%", "100%")]
    level = whole
    for step in steps:
        height = step.gpu_ms or 0
        rows.append(_bar(fall, step, min(level, level - height), costs))
        level -= height
    return tuple(rows)


def unusable(total: LedgerSum, cost: Decimal | None, currency: str) -> str:
    """Paid less reserved in words, with its cost where that is known: ``320 GPU-hours, 1 234 USD``; blank for none."""
    gap = (total.paid or 0) - (total.reserved or 0)
    if not gap:
        return ""
    hours = f"{notation.gpu_hours(gap)} GPU-hours"
    return hours if cost is None else f"{hours}, {notation.amount(cost, currency)}"


def _bar(fall: Waterfall, step: Step, low: int, costs: Mapping[str, Decimal | None]) -> Bar:
    share = fall.share(step)
    unknown = step.gpu_ms is None
    return Bar(
        name=step.name,
        label=STEP_LABELS[step.name],
        hours=notation.UNKNOWN if step.gpu_ms is None else notation.gpu_hours(step.gpu_ms),
        share=notation.UNKNOWN if share is None else notation.percent(share),
        money=_money(costs.get(step.name)),
        why="Not known in any hour of this month: what it holds stands in another bar." if unknown else "",
        left=_on_line(low, fall.reserved),
        width=_on_line(abs(step.gpu_ms or 0), fall.reserved),
    )


def _money(value: Decimal | None) -> str:
    return notation.UNKNOWN if value is None else notation.grouped(value, 0)


def _on_line(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "0%"
