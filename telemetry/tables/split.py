"""Who the busy time was for, as sheets; on pages the written shares add up to all of it."""

from collections.abc import Sequence
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.split import Part
from telemetry.tables.usage import gpu_hours, share

BY_TEAM, BY_WORKLOAD = "by-team", "by-workload"
TITLES = {BY_TEAM: "Who used it", BY_WORKLOAD: "What it ran"}
FIRST = {BY_TEAM: Column("team", "team", Kind.TEXT), BY_WORKLOAD: Column("workload", "workload", Kind.TEXT)}

AMOUNTS = (
    Column("owner_busy_gpu_hours", "within quota", Kind.GPU_HOURS, "GPU-hours", "owner_busy"),
    Column("borrower_busy_gpu_hours", "beyond quota", Kind.GPU_HOURS, "GPU-hours", "borrower_busy"),
    Column("other_busy_gpu_hours", "no quota", Kind.GPU_HOURS, "GPU-hours"),
    Column("busy_gpu_hours", "busy", Kind.GPU_HOURS, "GPU-hours", "busy"),
    Column("of_busy_share", "of busy", Kind.SHARE),
    Column("allocated_gpu_hours", "allocated", Kind.GPU_HOURS, "GPU-hours", "allocated"),
)

TENTHS = 1000
"""Shares are told in tenths of a per cent, which are shared out so that they add up to all of it."""

NAMED = 4
"""How many parts the sentence names."""


def split_sheet(name: str, parts: Sequence[Part]) -> Sheet:
    """One row for each part, with every digit of its share."""
    busy = sum(part.busy for part in parts)
    return _sheet(name, parts, [share(Decimal(part.busy) / busy) if busy > 0 else None for part in parts])


def split_twin(name: str, parts: Sequence[Part]) -> Sheet:
    """The same as a page shows it: the shares are rounded so that together they are exactly 1."""
    return _sheet(name, parts, told_shares([part.busy for part in parts]))


def _sheet(name: str, parts: Sequence[Part], shares: Sequence[Decimal | None]) -> Sheet:
    rows = tuple(
        (
            part.name,
            *(gpu_hours(amount) for amount in (part.within, part.beyond, part.other, part.busy)),
            of_busy,
            gpu_hours(part.allocated),
        )
        for part, of_busy in zip(parts, shares, strict=True)
    )
    return Sheet(name, TITLES[name], (FIRST[name], *AMOUNTS), rows)


def told_shares(amounts: Sequence[int]) -> list[Decimal | None]:
    """Shares of the sum in tenths of a per cent that add up to it; None where the sum is nothing."""
    whole = sum(amounts)
    if whole <= 0:
        return [None] * len(amounts)
    tenths = notation.whole_parts([amount * TENTHS for amount in amounts], whole)
    return [Decimal(count or 0) / TENTHS for count in tenths]


def split_summary(parts: Sequence[Part]) -> str:
    """``serving 61.0 %, research 30.2 %, all else 8.8 % of 8 930 busy GPU-hours.``: the largest parts by share."""
    busy = sum(part.busy for part in parts)
    if busy <= 0:
        return "No GPU was busy."
    shares = told_shares([part.busy for part in parts])
    ranked = sorted(zip(shares, parts, strict=True), key=lambda pair: -pair[1].busy)
    named = [f"{part.name} {notation.percent(told or Decimal(0))}" for told, part in ranked[:NAMED] if part.busy]
    rest = sum((told or Decimal(0) for told, _ in ranked[NAMED:]), Decimal(0))
    if rest:
        named.append(f"all else {notation.percent(rest)}")
    return f"{', '.join(named)} of {notation.gpu_hours(busy)} busy GPU-hours."


def why_no_split(hours: int, busy: int | None) -> str:
    """Why nobody can be named, in so many hours."""
    if not hours:
        return "No hour of this month is in the ledger."
    if busy is None:
        return "Busy time is not known in any hour of this month."
    return "No hour of this month says which queue its GPUs worked for."
