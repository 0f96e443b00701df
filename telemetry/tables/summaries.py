"""One sentence for each chart that says what it shows."""

from collections.abc import Sequence
from datetime import tzinfo
from decimal import Decimal

from reservations.domain import notation
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.waterfall import Waterfall
from telemetry.tables.by_step import Part

NAMED = 3
"""How many steps of a waterfall its sentence names."""


def waterfall_summary(fall: Waterfall) -> str:
    """``Of 57 360 reserved GPU-hours: not launched 63.0 %, …, all else 5.7 %.``: the largest steps and the rest."""
    if not fall.reserved:
        return "Nothing was reserved in the hours that were collected."
    known = sorted(((step.gpu_ms or 0, step.name) for step in fall.steps), key=lambda pair: -pair[0])
    named = [(gpu_ms, name) for gpu_ms, name in known[:NAMED] if gpu_ms > 0]
    rest = fall.reserved - sum(gpu_ms for gpu_ms, _ in named)
    parts = [f"{_plain(name)} {_percent(gpu_ms, fall.reserved)}" for gpu_ms, name in named]
    if rest:
        parts.append(f"all else {_percent(rest, fall.reserved)}")
    return f"Of {notation.gpu_hours(fall.reserved)} reserved GPU-hours: {', '.join(parts)}."


def hours_summary(hours: Sequence[LedgerHour], missing: int, zone: tzinfo) -> str:
    """``Busy 0 to 24.0 GPU-hours an hour (most on 12 Nov, 13:00–14:00) of 80.0 reserved; …`` and what is unknown."""
    known = [(row.busy, row) for row in hours if row.busy is not None]
    reserved = _span([row.reserved for row in hours])
    doubts = [
        (missing, "not collected"),
        (len(hours) - len(known), "with busy time unknown"),
        (sum(not row.final for row in hours), "not final"),
    ]
    said = "".join(f"; {_hours(count)} {words}" for count, words in doubts if count)
    if not known:
        return f"Busy time is not known in any hour; {reserved} GPU-hours an hour reserved{said}."
    most, peak = max(known, key=lambda pair: pair[0])
    when = f"{notation.day_of_month(peak.hour.astimezone(zone).date())}, {notation.hour(peak.hour, zone)}"
    busiest = f" (most on {when})" if most else ""
    return f"Busy {_span([busy for busy, _ in known])} GPU-hours an hour{busiest} of {reserved} reserved{said}."


def days_summary(days: Sequence[Part], zone: tzinfo) -> str:
    """``Busy 210 to 980 GPU-hours a day (most on 12 Nov) of 1 280 reserved; 4 hours not collected.``"""
    whole = [part for part in days if part.totals.hours and not part.to_date]
    known = [(part.totals.busy, part) for part in whole if part.totals.busy is not None]
    missing = sum(part.missing for part in days)
    said = f"; {_hours(missing)} not collected" if missing else ""
    if not known:
        return f"Busy time is not known on any whole day{said}."
    most, peak = max(known, key=lambda pair: pair[0])
    busiest = f" (most on {notation.day_of_month(peak.period.start.astimezone(zone).date())})" if most else ""
    reserved = _span([part.totals.reserved or 0 for part in whole])
    return f"Busy {_span([busy for busy, _ in known])} GPU-hours a day{busiest} of {reserved} reserved{said}."


def _span(values: Sequence[int]) -> str:
    least, most = notation.gpu_hours(min(values)), notation.gpu_hours(max(values))
    return least if least == most else f"{least} to {most}"


def _hours(count: int) -> str:
    return f"{notation.grouped(count)} hour{'' if count == 1 else 's'}"


def _percent(part: int, whole: int) -> str:
    return notation.percent(Decimal(part) / whole)


def _plain(name: str) -> str:
    """A step's label without the comma that would part it in a list."""
    first, _, second = STEP_LABELS[name].partition(", ")
    return f"{first} ({second})" if second else first
