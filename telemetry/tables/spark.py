"""A spark line: some shares in a row as points on a small plane, gaps where nothing is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation

WIDTH, HEIGHT = 96, 24
INSET = 3
"""Pixels kept free on every side, so that neither a line nor a dot is cut off at the edge."""


@dataclass(frozen=True, slots=True)
class Spark:
    """``lines`` are the points of unbroken runs, ``dots`` those that stand alone; ``even`` is a height, blank: none.

    ``last`` is the last point that is known and ``to_date`` the one of the running period, apart from the line.
    """

    lines: tuple[str, ...]
    dots: tuple[tuple[str, str], ...]
    last: tuple[str, str] | None
    to_date: tuple[str, str] | None
    even: str
    words: str
    width: int = WIDTH
    height: int = HEIGHT


def spark(
    shares: Sequence[Decimal | None],
    *,
    to_date: Decimal | None = None,
    even: Decimal | None = None,
    each: str = "month",
) -> Spark:
    """Shares from the oldest to the newest between 0 and 100 %, always; one outside is drawn at the edge.

    ``to_date``: the share of the period that still runs, which is no point of the line.
    """
    places = len(shares) + 1
    points = [None if share is None else _point(place, places, share) for place, share in enumerate(shares)]
    runs = _runs(points)
    known = [point for point in points if point is not None]
    return Spark(
        lines=tuple(" ".join(f"{x},{y}" for x, y in run) for run in runs if len(run) > 1),
        dots=tuple(run[0] for run in runs if len(run) == 1),
        last=known[-1] if known else None,
        to_date=None if to_date is None else _point(places - 1, places, to_date),
        even="" if even is None else _height(even),
        words=_words(shares, to_date, each),
    )


def _point(place: int, places: int, share: Decimal) -> tuple[str, str]:
    x = INSET + Decimal(place * (WIDTH - 2 * INSET)) / max(1, places - 1)
    return f"{x:.1f}", _height(share)


def _height(share: Decimal) -> str:
    clipped = min(max(share, Decimal(0)), Decimal(1))
    return f"{HEIGHT - INSET - clipped * (HEIGHT - 2 * INSET):.1f}"


def _runs(points: Sequence[tuple[str, str] | None]) -> list[list[tuple[str, str]]]:
    runs: list[list[tuple[str, str]]] = [[]]
    for point in points:
        if point is not None:
            runs[-1].append(point)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _words(shares: Sequence[Decimal | None], to_date: Decimal | None, each: str) -> str:
    """``12 full months: 61.0 % to 75.0 %, last 70.2 %; to date 66.0 %``."""
    known = [share for share in shares if share is not None]
    so_far = "" if to_date is None else f"; to date {notation.percent(to_date)}"
    if not known:
        return f"Not known in any full {each}{so_far}"
    counted = f"{len(known)} full {each}{'' if len(known) == 1 else 's'}"
    span = f"{notation.percent(min(known))} to {notation.percent(max(known))}, " if len(known) > 1 else ""
    return f"{counted}: {span}last {notation.percent(known[-1])}{so_far}"
