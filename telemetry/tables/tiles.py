"""A month's figures: each with its value, its unit, how it stands against the month before, and what limits it."""

from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from telemetry.domain.totals import Totals
from telemetry.domain.worth import Worth
from telemetry.tables.compared import Compared

GPU_HOURS = "GPU-hours"


@dataclass(frozen=True, slots=True)
class Mark:
    """A bar of ``share`` with break-even marks by price and with launches that fail, as lengths; blank: no mark."""

    share: str
    even: str
    adjusted: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure; ``term`` is its name in the glossary, ``remark`` what it is to be read with."""

    term: str
    label: str
    value: str
    unit: str
    words: str = ""
    remark: str = ""
    mark: Mark | None = None


def tiles(compared: Compared, hours_missing: int) -> tuple[Tile, ...]:
    """Reserved, allocated, busy, busy ÷ reserved, coverage and the cost of idle of a month."""
    total, money = compared.now.whole, compared.now.money
    return (
        _amount("reserved", "Reserved", total.reserved, compared.amount("reserved"), _collected(total, hours_missing)),
        _amount("allocated", "Allocated", total.allocated, compared.share(lambda sums: sums.allocated_share),
                _of_expected(total)),
        _amount("busy", "Busy", total.busy, compared.amount("busy"), _at_most(total)),
        _busy_share(compared, money),
        _coverage(compared),
        _idle_cost(compared, money),
    )  # fmt: skip


def _amount(term: str, label: str, gpu_ms: int | None, words: str, remark: str) -> Tile:
    if gpu_ms is None:
        return Tile(term, label, notation.UNKNOWN, "", remark="Not known in any of these hours.")
    return Tile(term, label, notation.gpu_hours(gpu_ms), GPU_HOURS, words, remark)


def _collected(total: Totals, missing: int) -> str:
    if missing:
        due = notation.grouped(total.hours + missing)
        return f"Without {notation.grouped(missing)} of {due} hours: not collected."
    return "" if total.hours else "Nothing was collected."


def _of_expected(total: Totals) -> str:
    if total.allocated_share is None:
        return "No GPU stood on a node." if total.expected == 0 else "How many GPUs stood on nodes is not known."
    return f"{notation.percent(total.allocated_share)} of what stood on nodes."


def _at_most(total: Totals) -> str:
    if not total.unknown or total.busy_high is None:
        return ""
    return f"At most {notation.gpu_hours(total.busy_high)}, had all unknown time been busy."


def _busy_share(compared: Compared, money: Worth) -> Tile:
    term, label = "busy_share", "Busy ÷ reserved"
    total = compared.now.whole
    share = total.busy_share
    if share is None:
        why = "Nothing was reserved." if total.busy is not None else "Busy time is not known in any of these hours."
        return Tile(term, label, notation.UNKNOWN, "", remark=why)
    value, unit = notation.percent(share).split(notation.THIN)
    held = share if total.busy_paid_share is None else total.busy_paid_share
    words = compared.share(lambda sums: sums.busy_share)
    return Tile(term, label, value, unit, words, _held_against(total, held, money), mark_of(held, money))


def _held_against(total: Totals, paid: Decimal, money: Worth) -> str:
    """The comparison with break-even, of busy ÷ paid; it is named where it is not busy ÷ reserved."""
    known = "1 hour" if total.busy_hours == 1 else f"{notation.grouped(total.busy_hours)} hours"
    scope = "" if total.busy_hours == total.hours else f" Over the {known} in which busy is known."
    if money.break_even is None:
        return f"No break-even: {money.why_no_even}{scope}"
    points = (paid - money.break_even) * 100
    side = "above" if points >= 0 else "below"
    ratio = "" if paid == total.busy_share else f"Busy ÷ paid, {notation.percent(paid)}, is "
    even = notation.percent(money.break_even)
    fails = "" if money.adjusted is None else f"; with launches that fail that is {notation.percent(money.adjusted)}"
    return f"{ratio}{notation.grouped(abs(points), 1)} points {side} break-even, {even}{fails}.{scope}"


def _coverage(compared: Compared) -> Tile:
    term, label = "coverage", "Coverage"
    total = compared.now.whole
    if total.coverage is None:
        why = "No device was expected." if total.expected == 0 else "How many devices were expected is not known."
        return Tile(term, label, notation.UNKNOWN, "", remark=why)
    value, unit = notation.percent(total.coverage).split(notation.THIN)
    silent = f"{notation.gpu_hours(total.unknown)} GPU-hours without a valid sample." if total.unknown else ""
    return Tile(term, label, value, unit, compared.share(lambda sums: sums.coverage), silent)


def _idle_cost(compared: Compared, money: Worth) -> Tile:
    term, label = "cost_of_idle", "Cost of idle"
    if money.idle is None:
        why = money.why_not or money.why_no_idle
        return Tile(term, label, notation.UNKNOWN, "", remark=f"{why[:1].upper()}{why[1:]}")
    without = f" Without {', '.join(money.unpriced)}: no price." if money.unpriced else ""
    idle = f"{notation.gpu_hours(compared.now.whole.idle or 0)} idle GPU-hours at the reserved price.{without}"
    return Tile(term, label, notation.grouped(money.idle, 0), money.currency, compared.idle_cost(), idle)


def mark_of(share: Decimal, money: Worth) -> Mark:
    """A share with both break-even lines beside it."""
    return Mark(_length(share), _length(money.break_even), _length(money.adjusted))


def _length(share: Decimal | None) -> str:
    return "" if share is None else f"{min(max(share, Decimal(0)), Decimal(1)) * 100:.2f}%"
