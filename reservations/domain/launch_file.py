"""A CSV file of launches and of those that failed for want of capacity (docs/prices.md#shortage)."""

import re
from dataclasses import dataclass
from datetime import date

from reservations.domain.csv_file import Fault, Form, Line, UnableToReadFile, lines_of

COLUMNS = ("day", "pool", "shape", "zone", "attempts", "failures", "source")
MOST_LINES = 20_000
MOST_BYTES = 4 * 1024 * 1024
MOST_LAUNCHES = 1_000_000_000

_FORM = Form(COLUMNS, ("day", "attempts", "failures"), "day of launches", MOST_LINES, MOST_BYTES)


@dataclass(frozen=True, slots=True)
class LaunchDay:
    """How many launches of one pool or one shape were tried in a zone on a UTC day, and how many found no capacity."""

    line: int
    day: date
    pool: str
    shape: str
    zone_id: str
    attempts: int
    failures: int
    source: str

    @property
    def subject(self) -> str:
        """What was launched, in words."""
        return f"pool {self.pool}" if self.pool else f"shape {self.shape}"


def launch_days(data: bytes, *, today: date) -> list[LaunchDay]:
    """Every line of a file; UnableToReadFile with each fault of it and its line.

    ``today`` is the UTC day: what was launched later nobody can know.
    """
    faults: list[Fault] = []
    days: list[LaunchDay] = []
    first: dict[tuple[str, str, date], int] = {}
    for line in lines_of(data, _FORM):
        told, wrong = _read(line, today)
        faults += [Fault(line.number, sentence) for sentence in wrong]
        if told is None:
            continue
        key = (told.subject, told.zone_id, told.day)
        if key in first:
            where = f" in {told.zone_id}" if told.zone_id else ""
            faults.append(
                Fault(line.number, f"The {told.subject}{where} on {told.day} stands in line {first[key]} already.")
            )
        first.setdefault(key, line.number)
        days.append(told)
    if faults:
        raise UnableToReadFile(faults)
    return days


def _read(line: Line, today: date) -> tuple[LaunchDay | None, list[str]]:
    texts = {name: line.texts.get(name, "").strip() for name in COLUMNS}
    wrong = [
        f"{name}: It is too long, or holds what can't be printed."
        for name, most in (("pool", 80), ("shape", 64), ("zone", 32), ("source", 200))
        if len(texts[name]) > most or not texts[name].isprintable()
    ]
    if bool(texts["pool"]) == bool(texts["shape"]):
        wrong.append("pool, shape: Name one of them: launches are of one pool or of one shape.")
    day = _day(texts["day"])
    if day is None:
        wrong.append(f"day: “{texts['day'][:40]}” is not a day: write it as 2026-01-31.")
    elif day > today:
        wrong.append(f"day: {day} is still to come.")
    attempts, failures = (_count(texts[name]) for name in ("attempts", "failures"))
    for name, count in (("attempts", attempts), ("failures", failures)):
        if count is None:
            wrong.append(f"{name}: “{texts[name][:40]}” is not a whole number from 0 to {MOST_LAUNCHES}.")
    if attempts is not None and failures is not None and failures > attempts:
        wrong.append(f"failures: {failures} failed of {attempts} attempts: that can't be.")
    if wrong or day is None or attempts is None or failures is None:
        return None, wrong
    where = (texts["pool"], texts["shape"], texts["zone"])
    return LaunchDay(line.number, day, *where, attempts, failures, texts["source"]), []


def _day(text: str) -> date | None:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _count(text: str) -> int | None:
    if not re.fullmatch(r"\d{1,10}", text, re.ASCII) or int(text) > MOST_LAUNCHES:
        return None
    return int(text)
