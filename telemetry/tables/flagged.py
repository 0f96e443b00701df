"""Flagged hours as runs: the same flag in one pool, hour after hour, is one line."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from reservations.domain.period import HOUR, Period
from telemetry.selectors.ledger import FlaggedHour


@dataclass(frozen=True, slots=True)
class FlaggedRun:
    """``hours`` hours in a row; ``sentence`` is what the newest of them says."""

    pool: str
    flag: str
    period: Period
    hours: int
    sentence: str


def flagged_runs(rows: Iterable[FlaggedHour]) -> list[FlaggedRun]:
    """Runs of flagged hours, the newest first."""
    each = sorted((row.pool, flag, row.hour, row.notes.get(flag, "")) for row in rows for flag in row.flags)
    runs = [_run(list(run)) for _, run in groupby(enumerate(each), key=_place)]
    return sorted(runs, key=lambda run: (run.period.end, run.pool, run.flag), reverse=True)


def _place(numbered: tuple[int, tuple[str, str, datetime, str]]) -> tuple[str, str, datetime]:
    """The same for all hours of one run: each is an hour later and one further down the list."""
    number, (pool, flag, hour, _) = numbered
    return pool, flag, hour - number * HOUR


def _run(run: list[tuple[int, tuple[str, str, datetime, str]]]) -> FlaggedRun:
    pool, flag, first, _ = run[0][1]
    last, sentence = run[-1][1][2:]
    return FlaggedRun(pool, flag, Period(first, last + HOUR), len(run), sentence)
