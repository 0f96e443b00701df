"""Every hour of a period stacked under its reserved line; hours that are missing, thin or not final show as such.

Hours stand at their UTC positions, so that a day of 25 hours is 25 hours wide; what is written on the axis and said
of an hour is in the accounting zone.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo
from decimal import Decimal
from itertools import groupby
from typing import Any

from reservations.domain import notation
from reservations.domain.period import HOUR, HOUR_MS, Period, days_of
from telemetry.charts.palette import CLEAR, FRAME, INKS, axis
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.waterfall import hour_steps

THIN_COVERAGE = Decimal("0.5")
"""Below this share of known device time an hour is drawn hatched."""

TRUSTED = Decimal("0.9")
"""From this share of known device time on nothing is said of it."""

LATE = 0.7
"""From this part of the month on, a note stands left of its hour: to the right it would run over the edge."""

AS_AREAS = {"ec2_unused": "ec2_unused-hours"}
"""An outline cannot follow hours; where it is hatched instead, so is its swatch."""

BANDS = ("missing", "thin", "not_final", "to_come")

Level = list[float | None]


DAYS_APART = 7
"""Of a month's days the 1st, 8th, 15th, 22nd and 29th are written, which fit the narrowest screen."""


def figure(
    rows: Sequence[LedgerHour], period: Period, until: datetime, zone: tzinfo, leads: str = ""
) -> dict[str, Any]:
    """Traces from bottom to top, in GPU-hours per hour; ``until`` is the end of what was due, ``zone`` whose days.

    ``leads``: the address of an hour, with ``{}`` for it as ``2026-05-09T13``.
    """
    by_start = {row.hour: row for row in rows}
    end = max(min(until, period.end), *(row.hour + HOUR for row in rows), period.start + HOUR)
    grid = [by_start.get(start) for start in Period(period.start, end).hours()]
    top = (max((row.reserved for row in rows), default=0) or HOUR_MS) / HOUR_MS * 1.12
    return {
        "data": [
            *_stack(grid, period.start),
            *_bands(grid, period.start),
            *_to_come(period, end, top),
            _reserved(grid, period.start),
            _words(grid, period.start, zone, leads),
        ],
        "layout": {
            **FRAME,
            "margin": {"l": 64, "r": 8, "t": 8, "b": 44},
            "hovermode": "x",
            "xaxis": axis(
                f"hour, {notation.zone_name(zone)}",
                type="date",
                range=_ends(period),
                showgrid=False,
                ticks="outside",
                **_days(period, zone),
            ),
            "yaxis": axis("GPU-hours per hour", range=[0, top], tickformat=",~r", nticks=6),
            "separators": f".{notation.THIN}",
            "annotations": [*_sizes(grid, period), *_said_to_come(period, end, top)],
        },
    }


def key(drawn: dict[str, Any]) -> list[tuple[str, str]]:
    """What is to be explained beside a figure, top to bottom: the swatch's name and its label."""
    explained = [(trace["meta"], trace["name"]) for trace in drawn["data"] if isinstance(trace.get("meta"), str)]
    places = {name: place for place, name in enumerate((*BANDS, *reversed(INKS)))}
    explained.sort(key=lambda pair: places.get(pair[0], -1))
    return [(AS_AREAS.get(name, name), label) for name, label in explained]


def _stack(grid: Sequence[LedgerHour | None], start: datetime) -> Iterator[dict[str, object]]:
    steps = [hour_steps(row) if row else {} for row in grid]
    for name, ink in INKS.items():
        # a count below nothing (more joined than launched) has no height; the hover and the table say it
        amounts = [hour[name] or 0 if hour else None for hour in steps]
        if not any(amount and amount > 0 for amount in amounts):
            continue
        levels: Level = [amount if amount is None else _hours(amount) if amount > 0 else 0 for amount in amounts]
        if not any(levels):
            continue
        yield {
            "type": "scatter",
            "mode": "lines",
            "name": ink.label,
            "meta": name,
            "stackgroup": "hours",
            "stackgaps": "infer zero",
            **_over(start, levels),
            "line": {"width": 0, "shape": "hv"},
            **ink.area(),
            "hoverinfo": "skip",
        }


def _reserved(grid: Sequence[LedgerHour | None], start: datetime) -> dict[str, object]:
    levels: Level = [None if row is None else _hours(row.reserved) for row in grid]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "reserved",
        "meta": "reserved",
        **_over(start, levels),
        "line": {"width": 1.5, "color": "var(--ink)", "shape": "hv"},
        "connectgaps": False,
        "hoverinfo": "skip",
    }


def _bands(grid: Sequence[LedgerHour | None], start: datetime) -> Iterator[dict[str, object]]:
    kinds: tuple[tuple[str, str, str, str, str, Callable[[LedgerHour | None], bool]], ...] = (
        ("missing", "not collected", "x", "var(--muted)", "var(--paper)", lambda row: row is None),
        ("thin", "coverage under 50\u202f%", "\\", "var(--ink)", CLEAR, _is_thin),
        ("not_final", "not final", "/", "var(--muted)", CLEAR, lambda row: row is not None and not row.final),
    )
    for meta, name, shape, colour, ground, holds in kinds:
        corners = list(_rectangles(grid, holds, start))
        if corners:
            yield _hatched(meta, name, shape, colour, ground, corners)


def _hatched(
    meta: str, name: str, shape: str, colour: str, ground: str, corners: Sequence[tuple[str | None, float | None]]
) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "meta": meta,
        "x": [x for x, _ in corners],
        "y": [y for _, y in corners],
        "fill": "toself",
        "fillcolor": ground,
        "fillpattern": {"shape": shape, "fgcolor": colour, "bgcolor": ground, "size": 7, "solidity": 0.14},
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _is_thin(row: LedgerHour | None) -> bool:
    return row is not None and row.coverage is not None and row.coverage < THIN_COVERAGE


def _rectangles(
    grid: Sequence[LedgerHour | None], holds: Callable[[LedgerHour | None], bool], start: datetime
) -> Iterator[tuple[str | None, float | None]]:
    """The corners of a rectangle over each run of hours for which something holds, a gap between two.

    It is as high as what was reserved in the run; of a missing run, as in the hour before it.
    """
    height = next((row.reserved for row in grid if row), 0)
    for held, run in groupby(enumerate(grid), key=lambda pair: holds(pair[1])):
        hours = list(run)
        height = max((row.reserved for _, row in hours if row), default=height)
        if held:
            left, right = _said(start + hours[0][0] * HOUR), _said(start + (hours[-1][0] + 1) * HOUR)
            top = round(height / HOUR_MS, 3)
            yield from ((left, 0), (left, top), (right, top), (right, 0), (left, 0), (None, None))


def _words(grid: Sequence[LedgerHour | None], start: datetime, zone: tzinfo, leads: str) -> dict[str, object]:
    trace: dict[str, object] = {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "x0": _said(start + HOUR / 2),
        "dx": HOUR_MS,
        "y": [_hours(row.reserved) if row else 0 for row in grid],
        "text": [_sentence(row, start + place * HOUR, zone) for place, row in enumerate(grid)],
        "marker": {"opacity": 0},
        # without the text alone plotly writes the UTC position on the axis
        "hoverinfo": "text",
    }
    if leads:
        hours = [f"{start + place * HOUR:%Y-%m-%dT%H}" for place in range(len(grid))]
        trace |= {"customdata": hours, "meta": {"leads": leads}}
    return trace


def _sentence(row: LedgerHour | None, start: datetime, zone: tzinfo) -> str:
    when = f"{notation.day_of_month(start.astimezone(zone).date())}, {notation.hour(start, zone)}"
    if row is None:
        return f"{when}: not collected"
    if row.busy is None:
        why = next((sentence for _, sentence in row.notes), "no telemetry")
        return f"{when}: {notation.gpu_hours(row.reserved)} reserved, busy unknown<br>{why}"
    share = f" ({notation.percent(Decimal(row.busy) / row.reserved)})" if row.reserved else ""
    said = (
        f"{when}: {notation.gpu_hours(row.busy)} of {notation.gpu_hours(row.reserved)} reserved GPU-hours busy{share}"
    )
    if row.coverage is not None and row.coverage < TRUSTED:
        said += f", coverage {notation.percent(row.coverage)}"
    return f"{said}{'' if row.final else ', not final'}"


def _sizes(grid: Sequence[LedgerHour | None], period: Period) -> Iterator[dict[str, object]]:
    before: int | None = None
    for place, row in enumerate(grid):
        whole = row is not None and (
            place + 1 == len(grid) or (after := grid[place + 1]) is None or after.reserved == row.reserved
        )
        if row is None or not whole or row.reserved == before:
            continue
        late = place * HOUR > (period.end - period.start) * LATE
        # a fall to nothing late in the month has no room beside it, and shows by itself
        if row.reserved or not late:
            level = max(row.reserved, before or 0) if late else row.reserved
            text = _size(row.reserved, before)
            yield _note(period.start + place * HOUR, level / HOUR_MS, text, "bottom", "right" if late else "left")
        before = row.reserved


def _size(reserved: int, before: int | None) -> str:
    if not reserved:
        return "nothing reserved"
    return f"{'resized to' if before else 'reserved'} {notation.gpu_hours(reserved)}"


def _to_come(period: Period, end: datetime, top: float) -> Iterator[dict[str, object]]:
    if end < period.end:
        left, right, height = _said(end), _said(period.end), round(top / 1.12, 3)
        corners = ((left, 0), (left, height), (right, height), (right, 0), (left, 0))
        yield _hatched("to_come", "to come", "/", "var(--hairline)", CLEAR, corners)


def _said_to_come(period: Period, end: datetime, top: float) -> Iterator[dict[str, object]]:
    if period.end - end > 12 * HOUR:
        yield _note(end, top / 2, " to come", "middle")


def _note(at: datetime, level: float, text: str, anchor: str, side: str = "left") -> dict[str, object]:
    return {
        "x": _said(at),
        "y": level,
        "text": text,
        "showarrow": False,
        "xanchor": side,
        "yanchor": anchor,
        "font": {"color": "var(--ink)", "size": 12},
    }


def _over(start: datetime, levels: Level) -> dict[str, object]:
    """Levels over the hours; the last one is said twice so that its step is as wide as the others."""
    return {"x0": _said(start), "dx": HOUR_MS, "y": [*levels, levels[-1]]}


def _days(period: Period, zone: tzinfo) -> dict[str, list[str]]:
    """Where the first hours of some days stand, and the days' names."""
    days = days_of(period, zone)[::DAYS_APART]
    return {
        "tickvals": [_said(hours.start) for _, hours in days],
        "ticktext": [notation.day_of_month(day) for day, _ in days],
    }


def _hours(gpu_ms: int) -> float:
    """GPU-hours as a figure carries them: to a hundredth, and short where they are whole."""
    hours = round(gpu_ms / HOUR_MS, 2)
    whole = int(hours)
    return whole if whole == hours else hours


def _ends(period: Period) -> list[str]:
    return [_said(period.start), _said(period.end)]


def _said(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"
