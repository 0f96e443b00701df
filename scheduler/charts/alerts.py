"""What an alert is about, over the days around its beginning."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from reservations.charts.observed import observed_paths
from reservations.domain import notation
from reservations.domain.period import Period, days_of
from telemetry.charts import stacked_hours
from telemetry.domain.ledger import LedgerHour

BEGAN = "began"

MOST_DAYS = 4
"""So many days are named: more have no room on a phone."""


def pool_hours(
    rows: Sequence[LedgerHour], period: Period, until: datetime, zone: tzinfo, *, began_at: datetime, leads: str = ""
) -> dict[str, Any]:
    """A pool's stacked hours with a line where the alert begins; each day is named, since there are few."""
    drawn = stacked_hours.figure(rows, period, until, zone, leads)
    days = days_of(period, zone)
    every = -(-len(days) // MOST_DAYS)
    drawn["layout"]["xaxis"] |= {
        "tickvals": [_said(hours.start) for _, hours in days[::every]],
        "tickangle": 0,
        "ticktext": [notation.day_of_month(day) for day, _ in days[::every]],
    }
    if period.start <= began_at < period.end:
        drawn["layout"]["shapes"] = [_line(began_at)]
        drawn["layout"]["annotations"] = [*drawn["layout"]["annotations"], _word(began_at, period)]
    return drawn


def _line(at: datetime) -> dict[str, object]:
    ends = {"type": "line", "x0": _said(at), "x1": _said(at), "yref": "paper", "y0": 0, "y1": 1}
    return {**ends, "line": {"color": "var(--alarm)", "width": 2, "dash": "dash"}}


def _word(at: datetime, period: Period) -> dict[str, object]:
    late = at - period.start > (period.end - period.start) / 2
    return {
        "x": _said(at),
        "y": 1,
        "yref": "paper",
        "text": f"{BEGAN} " if late else f" {BEGAN}",
        "showarrow": False,
        "xanchor": "right" if late else "left",
        "yanchor": "top",
        "font": {"color": "var(--alarm)", "size": 12},
    }


def _said(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


@dataclass(frozen=True, slots=True)
class FreeSlotsDrawn:
    """Instances held and free as stepped areas, 1000 wide and 80 high; ``began_x``: where the alert begins."""

    total: str
    free: str
    most: int
    began_x: float | None
    start: datetime
    end: datetime


def free_slots(seen: Sequence[tuple[datetime, int | None, int | None]], began_at: datetime) -> FreeSlotsDrawn | None:
    """``seen`` are (instant, total, free) in time order; None for fewer than two of them."""
    paths = observed_paths(seen)
    if paths is None:
        return None
    start, end = seen[0][0], seen[-1][0]
    inside = start <= began_at <= end
    return FreeSlotsDrawn(
        total=paths.total,
        free=paths.used,
        most=max(total for _, total, _ in seen if total is not None),
        began_x=round(1000 * ((began_at - start) / (end - start)), 1) if inside else None,
        start=start,
        end=end,
    )
