"""What the page and the call about a size are asked: a pool, months, and what is to be assumed, all in the address."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period, UnableToReadTime, month_period, read_month
from reservations.selectors.pools import PoolRow
from scheduler.domain.sizing.given import AMOUNTS, COUNTS, Given, read_given
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.growth_text import growth_lines
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Manner

ASSUMED = (*AMOUNTS, *COUNTS, "shortage_convention", "term_from", "term_to", "growth", "grow", "allow_short")
"""What may be assumed otherwise than it is known."""

SEVERAL = ("overflow", "workload")
MONTHS = (1, 2, 3, 6, 12)
DEFAULT_MONTHS = 3
"""A quarter: thirteen weeks, so that the band has something to draw from."""

LONGEST = 4_000
FIRST_MONTH = date(2010, 1, 1)
COMPARED = 3
OFF = "off"


@dataclass(frozen=True)
class SizingQuestion:
    """``pools`` are all this person may see; ``fields`` what the address says, blank ones left out."""

    pools: tuple[PoolRow, ...]
    pool: PoolRow
    person: Person
    last: date
    months: int
    period: Period
    given: Given
    growth: tuple[GrowthLine, ...]
    manner: Manner
    fields: Mapping[str, str]
    several: Mapping[str, tuple[str, ...]]

    @property
    def last_day(self) -> date:
        """The UTC day whose prices count: the last of the months."""
        return (self.period.end - timedelta(microseconds=1)).astimezone(UTC).date()

    @property
    def sees_prices(self) -> bool:
        """Whether the person may see what the pool costs."""
        return may(self.person, Action.SEE_PRICES, self.pool.teams)

    def address(self, **changed: str | tuple[str, ...] | None) -> str:
        """``?…`` of the same question with some parts changed, None left out."""
        parts: dict[str, object] = {
            "pool": self.pool.name,
            "month": f"{self.last:%Y-%m}",
            "months": str(self.months),
            **self.fields,
            **self.several,
            **changed,
        }
        return "?" + urlencode({name: value for name, value in parts.items() if value}, doseq=True)

    @property
    def page(self) -> str:
        """The page's own address."""
        return reverse("scheduler:sizing") + self.address()


def question_of(
    query: QueryDict, *, pools: tuple[PoolRow, ...], person: Person, zone: tzinfo, as_of: datetime
) -> SizingQuestion:
    """The question of an address; UnableToSize, UnableToReadTime, or LookupError for a pool that is not theirs."""
    pool = _pool(query.get("pool", ""), pools)
    fields = {name: text for name in ASSUMED if (text := _text(query, name))}
    several = {name: tuple(text for text in query.getlist(name) if text.strip()) for name in SEVERAL}
    last, months = _last(query.get("month", ""), zone, as_of), _months(query.get("months", ""))
    compared = tuple(query.getlist("compare"))
    lines = growth_lines(fields.get("growth", ""), name="growth", headed=False)
    return SizingQuestion(
        pools=pools,
        pool=pool,
        person=person,
        last=last,
        months=months,
        period=months_period(last, months, zone),
        given=read_given(fields, overflow=several["overflow"], workloads=several["workload"]),
        growth=() if fields.get("grow") == OFF else lines,
        manner=Manner(allow_short=fields.get("allow_short") in ("1", "on", "true")),
        fields=fields,
        several={**several, "compare": compared},
    )


def months_period(last: date, months: int, zone: tzinfo) -> Period:
    """So many whole months in a zone, the one that ``last`` lies in at the end."""
    first = last
    for _ in range(months - 1):
        first = (first.replace(day=1) - timedelta(days=1)).replace(day=1)
    return Period(month_period(first, zone).start, month_period(last, zone).end)


def tidied(asked: SizingQuestion, workloads: Collection[str]) -> SizingQuestion:
    """The question without a choice of workloads that leaves none out."""
    if not set(workloads) <= set(asked.given.workloads):
        return asked
    return replace(asked, given=replace(asked.given, workloads=()), several={**asked.several, "workload": ()})


def command_text(asked: SizingQuestion) -> str:
    """The command that gives the same figures; growth stands in a file there."""
    words = ["manage.py", "size", "--pool", asked.pool.name, "--month", f"{asked.last:%Y-%m}"]
    if asked.months > 1:
        words += ["--months", str(asked.months)]
    for name, text in asked.fields.items():
        if name == "allow_short":
            words.append("--allow-short")
        elif name not in ("growth", "grow"):
            words += [f"--{name.replace('_', '-')}", text]
    for name in SEVERAL:
        for text in asked.several.get(name, ()):
            words += [f"--{name}", text]
    if asked.growth:
        words += ["--growth", "FILE"]
    return shlex.join(words)


def _pool(name: str, pools: tuple[PoolRow, ...]) -> PoolRow:
    found = next((pool for pool in pools if name in ("", pool.name)), None)
    if found is None:
        raise LookupError(f"There is no pool “{name[:60]}”, or it belongs to a team whose pools you may not see.")
    return found


def _last(text: str, zone: tzinfo, as_of: datetime) -> date:
    """The month asked for, or the last full one."""
    today = as_of.astimezone(zone).date()
    if not text:
        return (today.replace(day=1) - timedelta(days=1)).replace(day=1)
    month = read_month(text)
    if not FIRST_MONTH <= month <= today:
        raise UnableToReadTime(f"there is no demand of {month:%B %Y}: it has not begun, or lies before the ledger")
    return month


def _months(text: str) -> int:
    if not text:
        return DEFAULT_MONTHS
    if not (text.isascii() and text.isdigit()) or len(text) > 3 or not 1 <= int(text) <= 36:
        raise UnableToSize(f"“{text[:40]}” is not a number of months from 1 to 36")
    return int(text)


def _text(query: QueryDict, name: str) -> str:
    text = query.get(name, "").strip()
    if len(text) > LONGEST or "\0" in text:
        raise UnableToSize(f"“{name}” holds a text that means nothing here")
    return text


def last_months(as_of: datetime, zone: tzinfo = UTC, count: int = 14) -> list[date]:
    """The months a page offers, newest first, the running one among them."""
    months = [as_of.astimezone(zone).date().replace(day=1)]
    while len(months) < count:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return months
