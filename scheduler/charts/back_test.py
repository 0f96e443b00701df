"""The back-test month by month: what was held cost, beside what the advice would have."""

from collections.abc import Sequence
from typing import Any

from reservations.domain import notation
from scheduler.domain.recommendation.back_test import MonthTested
from telemetry.charts.palette import FRAME, Ink, axis

HELD = Ink("cost as held", "--idle-free")
ADVISED = Ink("cost as advised", "--busy-owner")
MARGIN = {"l": 72, "r": 16, "t": 16, "b": 44}


def figure(months: Sequence[MonthTested], *, currency: str) -> dict[str, Any]:
    """Two columns a month in one currency; a month that says nothing, or another currency, has none and says why."""
    names = [f"{one.month:%b %Y}" for one in months]
    told = [one if one.currency == currency else None for one in months]
    return {
        "data": [
            _columns(HELD, names, [None if one is None else one.held_cost for one in told]),
            _columns(ADVISED, names, [None if one is None else one.advised_cost for one in told]),
            _words(names, months, currency),
        ],
        "layout": {
            **FRAME,
            "margin": MARGIN,
            "barmode": "group",
            "bargap": 0.3,
            "bargroupgap": 0.06,
            "hovermode": "x",
            "xaxis": {**axis(""), "type": "category", "tickangle": 0, "nticks": 6},
            "yaxis": axis(f"{currency} a month", rangemode="tozero", tickformat="~s"),
        },
    }


def _columns(ink: Ink, names: list[str], amounts: Sequence[object]) -> dict[str, object]:
    heights = [None if amount is None else float(str(amount)) for amount in amounts]
    return {"type": "bar", "name": ink.label, "x": names, "y": heights, "marker": ink.bar(), "hoverinfo": "skip"}


def _words(names: list[str], months: Sequence[MonthTested], currency: str) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "x": names,
        "y": [_height(one, currency) for one in months],
        "text": [_sentence(one) for one in months],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }


def _height(one: MonthTested, currency: str) -> float:
    known = one.currency == currency and one.held_cost is not None and one.advised_cost is not None
    return float(max(one.held_cost or 0, one.advised_cost or 0)) if known else 0.0


def _sentence(one: MonthTested) -> str:
    if one.held_cost is None or one.advised_cost is None:
        return f"{notation.month(one.month)}: {one.why_not}"
    held, advised = (notation.amount(cost, one.currency) for cost in (one.held_cost, one.advised_cost))
    return f"{notation.month(one.month)}: {held} as held, {advised} on {one.advised_nodes} nodes as advised"
