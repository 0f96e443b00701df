"""How numbers, days and hours are written, on pages and in charts alike. U+202F is the thin space that never breaks."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache

from reservations.domain.period import HOUR_MS

THIN = "\u202f"
UNKNOWN = "–"

_STEPS = tuple(Decimal(1).scaleb(-places) for places in range(7))
"""What a number is rounded to, by its places."""


def grouped(value: int | Decimal, places: int = 0) -> str:
    """A number with thin spaces between thousands and a true minus: ``−11 904.5``."""
    rounded = Decimal(value).quantize(_STEPS[places], rounding=ROUND_HALF_EVEN)
    text = f"{abs(rounded):,f}".replace(",", THIN)
    return f"−{text}" if rounded < 0 else text


@lru_cache(maxsize=4096)  # a month says what was reserved in every one of its hours
def gpu_hours(gpu_ms: int | None) -> str:
    """GPU-milliseconds as GPU-hours: whole from 100 on, one decimal from 10 on, two below; unknown is a dash."""
    if gpu_ms is None:
        return UNKNOWN
    hours = Decimal(gpu_ms) / HOUR_MS
    places = 0 if not hours or abs(hours) >= 100 else 1 if abs(hours) >= 10 else 2
    return grouped(hours, places)


def percent(share: Decimal | None) -> str:
    """A ratio as per cent, one decimal, two below 1 %: ``75.0 %``; none is ``0 %``, all ``100 %``, unknown a dash."""
    if share is None:
        return UNKNOWN
    value = share * 100
    places = 0 if value in (0, 100) else 2 if abs(value) < 1 else 1
    return f"{grouped(value, places)}{THIN}%"


def amount(value: Decimal, currency: str) -> str:
    """Money with its currency code: whole from 100 on, cents below."""
    return f"{grouped(value, 0 if abs(value) >= 100 else 2)}{THIN}{currency}"


def day(value: date) -> str:
    """``9 May 2026``."""
    return f"{value.day} {value:%b %Y}"


@lru_cache(maxsize=512)
def day_of_month(value: date) -> str:
    """``9 May``: where the year stands above."""
    return f"{value.day} {value:%b}"


def month(value: date) -> str:
    """``May 2026``."""
    return f"{value:%B %Y}"


def instant(at: datetime, zone: tzinfo = UTC) -> str:
    """``9 May 2026, 13:00 UTC``: day, hour and zone."""
    local = at.astimezone(zone)
    return f"{day(local.date())}, {local:%H:%M} {zone_name(zone)}"


def hour(at: datetime, zone: tzinfo = UTC) -> str:
    """``13:00–14:00``: the hour that starts at an instant, as that zone's clocks show it."""
    start, end = at.astimezone(zone), (at.astimezone(UTC) + timedelta(hours=1)).astimezone(zone)
    return f"{start.hour:02}:{start.minute:02}–{end.hour:02}:{end.minute:02}"


def zone_name(zone: tzinfo) -> str:
    """``UTC``, or the zone's IANA name."""
    return "UTC" if zone is UTC else str(zone)


def duration(length: timedelta) -> str:
    """A length of time in its two largest units: ``3 d 4 h``, ``2 h 5 min``, ``4 min``; ``0 min`` under a minute."""
    minutes = max(0, int(length.total_seconds() // 60))
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    if hours:
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    return f"{rest} min"


def whole_parts(parts: Sequence[int | None], unit: int) -> list[int | None]:
    """Parts in whole units that add up to their rounded sum: the largest remainders get what is left.

    None stays None; ties go to the earlier part.
    """
    known = [value for value in parts if value is not None]
    total = int((Decimal(sum(known)) / unit).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))
    floors = [None if value is None else value // unit for value in parts]
    left = total - sum(value for value in floors if value is not None)
    order = sorted((-(value % unit), place) for place, value in enumerate(parts) if value is not None)
    raised = {place for _, place in order[:left]}
    return [None if value is None else value + (place in raised) for place, value in enumerate(floors)]
