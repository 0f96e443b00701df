"""What the page and the call about a size are asked: a pool, months, and what is to be assumed, all in the address."""

import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period
from reservations.selectors.pools import PoolRow
from scheduler.domain.sizing.given import AMOUNTS, COUNTS, Given, read_given
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.growth_text import growth_lines
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Manner
from scheduler.domain.sizing.when import month_before, months_period, read_last_month, read_months

ASSUMED = (*AMOUNTS, *COUNTS, "shortage_convention", "term_from", "term_to", "growth", "grow", "allow_short")
"""What may be assumed otherwise than it is known."""

SEVERAL = ("overflow", "workload")
MONTHS = (1, 2, 3, 6, 12)
LONGEST = 4_000
COMPARED = 3
OFF = "off"
FLAGS = {"allow_short": "--allow-short", "grow": "--no-growth"}


FactsOf = tuple[int, Period]
"""A pool's id and when: what the facts of a question are told by."""


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
    typed: tuple[GrowthLine, ...]
    manner: Manner
    fields: Mapping[str, str]
    several: Mapping[str, tuple[str, ...]]

    @property
    def of(self) -> FactsOf:
        """Whose facts it starts from, and of when."""
        return self.pool.id, self.period

    def growth(self, recorded: Iterable[GrowthLine]) -> tuple[GrowthLine, ...]:
        """The lines that count: what is recorded and what was typed besides, or none where growth is off."""
        return () if self.fields.get("grow") == OFF else (*recorded, *self.typed)

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
    last, months = read_last_month(query.get("month", ""), zone, as_of), read_months(query.get("months", ""))
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
        typed=lines,
        manner=Manner(allow_short=fields.get("allow_short") in ("1", "on", "true")),
        fields=fields,
        several={**several, "compare": compared},
    )


def tidied(asked: SizingQuestion, workloads: Collection[str]) -> SizingQuestion:
    """The question without a choice of workloads that leaves none out."""
    if not set(workloads) <= set(asked.given.workloads):
        return asked
    return replace(asked, given=replace(asked.given, workloads=()), several={**asked.several, "workload": ()})


def command_text(asked: SizingQuestion) -> str:
    """The command that gives the same figures; growth stands in a file there."""
    words = ["manage.py", "size", "--pool", asked.pool.name, "--month", f"{asked.last:%Y-%m}"]
    words += ["--months", str(asked.months)]
    for name, text in asked.fields.items():
        if name in FLAGS:
            words.append(FLAGS[name])
        elif name != "growth":
            words += [f"--{name.replace('_', '-')}", text]
    for name in SEVERAL:
        words += [word for text in asked.several.get(name, ()) for word in (f"--{name}", text)]
    if asked.typed and asked.fields.get("grow") != OFF:
        words += ["--growth", "FILE"]
    return shlex.join(words)


def _pool(name: str, pools: tuple[PoolRow, ...]) -> PoolRow:
    found = next((pool for pool in pools if name in ("", pool.name)), None)
    if found is None:
        raise LookupError(f"There is no pool “{name[:60]}”, or it belongs to a team whose pools you may not see.")
    return found


def _text(query: QueryDict, name: str) -> str:
    text = query.get(name, "").strip()
    if len(text) > LONGEST or "\0" in text:
        raise UnableToSize(f"“{name}” holds a text that means nothing here")
    return text


def last_months(as_of: datetime, zone: tzinfo = UTC, count: int = 14) -> list[date]:
    """The months a page offers, newest first, the running one among them."""
    months = [as_of.astimezone(zone).date().replace(day=1)]
    while len(months) < count:
        months.append(month_before(months[-1]))
    return months
