"""Busy ÷ reserved month by month against the break-even; the month that still runs stands apart and hatched."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from reservations.domain import notation
from telemetry.charts.palette import CLEAR, FRAME, axis, line_over, per_cent_axis

Month = tuple[date, Decimal | None, Decimal | None, bool]
"""A month, its busy ÷ reserved and busy ÷ paid, and whether it still runs."""

APART = 0.5
"""How much further off the running month stands."""

SAME = Decimal("0.0005")


def figure(months: Sequence[Month], break_even: Decimal | None, adjusted: Decimal | None = None) -> dict[str, Any]:
    """Columns in per cent, oldest first; a month nobody knows has none and says so."""
    places = [place + (APART if month[3] else 0) for place, month in enumerate(months)]
    return {
        "data": [_columns(months, places), _paid(months, places), _unknown(months, places)],
        "layout": {
            **FRAME,
            "margin": {"l": 60, "r": 12, "t": 12, "b": 44},
            "bargap": 0.25,
            "hovermode": "x",
            "xaxis": axis(
                _span(months),
                range=[-0.6, (places[-1] if places else 0) + 0.6],
                tickvals=places,
                ticktext=[
                    f"{month:%b}" if (len(months) - place) % 2 else "" for place, (month, *_) in enumerate(months)
                ],
                tickangle=0,
                showgrid=False,
            ),
            "yaxis": per_cent_axis("busy ÷ reserved", _top(months)),
            "shapes": [
                *([] if break_even is None else line_over(float(break_even * 100))),
                *([] if adjusted is None else line_over(float(adjusted * 100), "dot")),
            ],
        },
    }


def _span(months: Sequence[Month]) -> str:
    """The years are written once, below the months."""
    return f"{notation.month(months[0][0])} to {notation.month(months[-1][0])}" if months else ""


def _top(months: Sequence[Month]) -> float:
    return max([100.0, *(float(share * 100) for _, *shares, _ in months for share in shares if share is not None)]) + 2


def _columns(months: Sequence[Month], places: Sequence[float]) -> dict[str, object]:
    running = [to_date for *_, to_date in months]
    return {
        "type": "bar",
        "name": "busy ÷ reserved",
        "meta": "owner_busy",
        "x": list(places),
        "y": [_per_cent(share) for _, share, _, _ in months],
        "width": 0.56,
        "marker": {
            # one colour and not one each: plotly would draw the lines of a pattern in a column's own
            "color": "var(--busy-owner)",
            "line": {"width": [1 if runs else 0 for runs in running], "color": "var(--busy-owner)"},
            "pattern": {
                "shape": ["/" if runs else "" for runs in running],
                "fgcolor": "var(--busy-owner)",
                "bgcolor": CLEAR,
                "size": 6,
                "solidity": 0.25,
            },
        },
        "text": [_sentence(*month) for month in months],
        "textposition": "none",
        "hoverinfo": "text",
    }


def _paid(months: Sequence[Month], places: Sequence[float]) -> dict[str, object]:
    """Marks where busy ÷ paid is another figure: it is what the break-even is held against."""
    told = [
        (place, paid)
        for place, (_, share, paid, _) in zip(places, months, strict=True)
        if paid is not None and (share is None or abs(paid - share) > SAME)
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "busy ÷ paid",
        "x": [place for place, _ in told],
        "y": [_per_cent(paid) for _, paid in told],
        "marker": {"symbol": "line-ew", "size": 18, "line": {"width": 2, "color": "var(--ink)"}},
        "hoverinfo": "skip",
    }


def _unknown(months: Sequence[Month], places: Sequence[float]) -> dict[str, object]:
    told = [(place, month) for place, month in zip(places, months, strict=True) if month[1] is None]
    return {
        "type": "scatter",
        "mode": "text+markers",
        "name": "not known",
        "x": [place for place, _ in told],
        "y": [3] * len(told),
        "text": [notation.UNKNOWN] * len(told),
        "hovertext": [_sentence(*month) for _, month in told],
        "marker": {"opacity": 0},
        "textfont": {"color": "var(--muted)"},
        "hoverinfo": "text",
    }


def _per_cent(share: Decimal | None) -> float | None:
    return None if share is None else round(float(share * 100), 2)


def _sentence(month: date, share: Decimal | None, paid: Decimal | None, to_date: bool) -> str:
    when = f"{notation.month(month)}{' to date' if to_date else ''}"
    if share is None:
        return f"{when}: busy time unknown, or nothing reserved"
    also = "" if paid is None or abs(paid - share) <= SAME else f", {notation.percent(paid)} of paid"
    return f"{when}: {notation.percent(share)} of reserved busy{also}"
