"""A month's figures, each with its value, unit and one remark in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import LedgerSum
from telemetry.tables.by_step import busy_paid_share, busy_share

GPU_HOURS = "GPU-hours"


@dataclass(frozen=True, slots=True)
class Cost:
    """What idle time cost, and the break-even; ``why_not`` and ``why_no_even`` say why one is not known."""

    idle: Decimal | None = None
    currency: str = ""
    break_even: Decimal | None = None
    why_no_even: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure; ``term`` is its name in the glossary."""

    term: str
    label: str
    value: str
    unit: str
    words: str
    mark: "Mark | None" = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A bar of ``share`` with the break-even mark at ``even``, as lengths of a line; blank: no mark."""

    share: str
    even: str


def _mark(share: Decimal, even: Decimal | None) -> Mark:
    return Mark(_length(share), "" if even is None else _length(even))


def _length(share: Decimal) -> str:
    return f"{min(max(share, Decimal(0)), Decimal(1)) * 100:.2f}%"


def tiles(hours: Sequence[LedgerHour], total: LedgerSum, cost: Cost) -> tuple[Tile, ...]:
    """Reserved, allocated, busy, busy ÷ reserved, coverage and the cost of idle of one period."""
    return (
        _amount("reserved", "Reserved", total.reserved, _collected(total)),
        _amount("allocated", "Allocated", total.allocated, _of_expected(hours, total)),
        _amount("busy", "Busy", total.busy, _at_most(total)),
        _busy_share(hours, total, cost),
        _coverage(total),
        _idle_cost(cost, total),
    )


def _amount(term: str, label: str, gpu_ms: int | None, words: str) -> Tile:
    if gpu_ms is None:
        return Tile(term, label, notation.UNKNOWN, "", "Not known in any hour of this month.")
    return Tile(term, label, notation.gpu_hours(gpu_ms), GPU_HOURS, words)


def _collected(total: LedgerSum) -> str:
    if total.hours_missing:
        due = total.hours_present + total.hours_missing
        return f"Without {total.hours_missing} of {due} hours: not collected."
    return f"All {total.hours_present} hours collected."


def _of_expected(hours: Sequence[LedgerHour], total: LedgerSum) -> str:
    both = [row for row in hours if row.allocated is not None and row.expected]
    if not both:
        return "No GPU stood on a node." if total.expected == 0 else "How many GPUs stood on nodes is not known."
    share = Decimal(sum(row.allocated or 0 for row in both)) / sum(row.expected or 0 for row in both)
    return f"{notation.percent(share)} of what stood on nodes."


def _at_most(total: LedgerSum) -> str:
    if not total.unknown or total.busy_high is None:
        return "No device time is unknown."
    return f"At most {notation.gpu_hours(total.busy_high)}, had all unknown time been busy."


def _busy_share(hours: Sequence[LedgerHour], total: LedgerSum, cost: Cost) -> Tile:
    term, label = "busy_share", "Busy ÷ reserved"
    share = busy_share(hours)
    if share is None:
        known = any(row.busy is not None for row in hours)
        why = "Nothing was reserved in this month." if known else "Busy time is not known in any hour of this month."
        return Tile(term, label, notation.UNKNOWN, "", why)
    value, unit = notation.percent(share).split(notation.THIN)
    paid = busy_paid_share(hours)
    held = share if paid is None else paid
    return Tile(term, label, value, unit, _held_against(share, held, cost, total), _mark(held, cost.break_even))


def _held_against(share: Decimal, paid: Decimal, cost: Cost, total: LedgerSum) -> str:
    """The comparison with break-even, of busy ÷ paid; it is named where it is not busy ÷ reserved."""
    known = total.hours_known["busy"]
    hours = "1 hour" if known == 1 else f"{known} hours"
    scope = "" if known == total.hours_present else f" Over the {hours} in which busy is known."
    if cost.break_even is None:
        return f"No break-even: {cost.why_no_even}{scope}"
    points = (paid - cost.break_even) * 100
    side = "above" if points >= 0 else "below"
    ratio = "" if paid == share else f"Busy ÷ paid, {notation.percent(paid)}, is "
    even = notation.percent(cost.break_even)
    return f"{ratio}{notation.grouped(abs(points), 1)} points {side} break-even, {even}.{scope}"


def _coverage(total: LedgerSum) -> Tile:
    term, label = "coverage", "Coverage"
    if total.coverage is None:
        why = "No device was expected." if total.expected == 0 else "How many devices were expected is not known."
        return Tile(term, label, notation.UNKNOWN, "", why)
    value, unit = notation.percent(total.coverage).split(notation.THIN)
    words = "Every expected GPU reported all the time."
    if total.unknown:
        words = f"{notation.gpu_hours(total.unknown)} GPU-hours without a valid sample."
    return Tile(term, label, value, unit, words)


def _idle_cost(cost: Cost, total: LedgerSum) -> Tile:
    term, label = "cost_of_idle", "Cost of idle"
    if cost.idle is None:
        return Tile(term, label, notation.UNKNOWN, "", f"{cost.why_not[:1].upper()}{cost.why_not[1:]}")
    idle = notation.gpu_hours(total.idle or 0)
    value = notation.grouped(cost.idle, 0)
    return Tile(term, label, value, cost.currency, f"{idle} idle GPU-hours at the reserved price.")
