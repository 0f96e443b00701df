"""Ninety days after: what a request claimed against what the ledger shows; unknown stays unknown."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

from reservations.domain import notation
from reservations.domain.period import HOUR, HOUR_MS, Period, floor_hour

AFTER = timedelta(days=90)
LEAST_COVERAGE = Decimal("0.5")
"""Hours known ÷ hours of the time below which nobody says whether a claim came true."""

STEP = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class LedgerHour:
    """One hour of the pool in GPU-milliseconds; busy None: unknown."""

    paid: int
    reserved: int
    busy: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a claim over ``period``, so far or for good; ``met`` None: nobody can say, or nothing was claimed.

    ``busy_share`` is Σ busy ÷ Σ paid over the hours whose busy is known; ``coverage_share`` those hours ÷ all.
    """

    period: Period
    whole: bool
    hours: int
    hours_known: int
    busy_share: Decimal | None
    coverage_share: Decimal
    mean_busy_nodes: Decimal | None
    mean_held_nodes: Decimal | None
    claimed_share: Decimal | None
    met: bool | None
    sentence: str


def outcome_period(start: datetime, as_of: datetime) -> tuple[Period, bool] | None:
    """The whole hours of the ninety days from a start, as far as they are over, and whether all are; None before."""
    first = floor_hour(start)
    end = min(first + AFTER, floor_hour(as_of))
    return None if end - first < HOUR else (Period(first, end), end == first + AFTER)


def outcome(
    hours: Iterable[LedgerHour], *, period: Period, whole: bool, claimed: Decimal | None, gpus_per_node: Decimal
) -> Outcome:
    """The claim against these hours of the ledger; an hour that is not among them is missing, not idle."""
    told = list(hours)
    known = [(one, one.busy) for one in told if one.busy is not None]
    count = period.length_ms // HOUR_MS
    paid, busy = sum(one.paid for one, _ in known), sum(some for _, some in known)
    share = _ratio(busy, paid)
    coverage = _ratio(len(known), count) or Decimal(0)
    node_ms = gpus_per_node * HOUR_MS
    enough = coverage >= LEAST_COVERAGE and share is not None
    met = share >= claimed if enough and share is not None and claimed is not None else None
    return Outcome(
        period=period,
        whole=whole,
        hours=count,
        hours_known=len(known),
        busy_share=share,
        coverage_share=coverage,
        mean_busy_nodes=_ratio(busy, node_ms * len(known)),
        mean_held_nodes=_ratio(sum(one.reserved for one in told), node_ms * len(told)),
        claimed_share=claimed,
        met=met,
        sentence=_sentence(share if enough else None, claimed, met, whole, count),
    )


def _sentence(share: Decimal | None, claimed: Decimal | None, met: bool | None, whole: bool, hours: int) -> str:
    when = "Over ninety days" if whole else f"So far, over {notation.grouped(hours // 24)} days,"
    if share is None:
        return f"{when} too little is known of its use to say what became of the claim."
    if claimed is None:
        return f"{when} {notation.percent(share)} of what was paid was busy; the request claimed no figure."
    word = "as claimed" if met else "less than claimed"
    return f"{when} {notation.percent(share)} of what was paid was busy, {word} ({notation.percent(claimed)})."


def _ratio(some: int, of: int | Decimal) -> Decimal | None:
    if of <= 0:
        return None
    return (Decimal(some) / Decimal(of)).quantize(STEP, rounding=ROUND_HALF_EVEN)
