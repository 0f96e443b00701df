"""Committed growth, as a configuration file says: its lines take the place of what is stored of the same name."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated

from django.db.backends.postgresql.psycopg_any import DateRange
from pydantic import BeforeValidator, Field, model_validator

from reservations.domain.change import Change, Outcome
from reservations.selectors.pools import pool_rows
from reservations.services.configuration.texts import Day, Entry, Name, Text, shaped
from scheduler.models import CommittedGrowth
from telemetry.domain.demand import MOST_NODES

NODES = re.compile(r"[-+]?\d{1,9}(\.\d{1,4})?", re.ASCII)
ENTERED_BY = "configuration file"
_VALUES = ("nodes", "workload", "source")


def _signed(value: object) -> Decimal:
    if isinstance(value, bool) or not NODES.fullmatch(str(value)):
        raise ValueError(f"“{value}” is not a number: digits with a sign, as -2 or 1.5")
    nodes = Decimal(str(value))
    if nodes == 0:
        raise ValueError("a line adds or takes nodes: write a number above or below 0")
    if abs(nodes) > MOST_NODES:
        raise ValueError(f"{value} is beyond any fleet: at most {MOST_NODES} nodes")
    return nodes


class GrowthEntry(Entry):
    """Nodes more, or fewer, that a pool needs on the days ``[from, to)``."""

    pool: Name
    name: Name
    start: Day = Field(alias="from")
    end: Day | None = Field(default=None, alias="to")
    nodes: Annotated[Decimal, BeforeValidator(_signed)]
    workload: Annotated[Text, shaped(r".{1,16}", "is longer than 16 characters")] | None = None
    source: Annotated[Text, shaped(r".{1,200}", "is longer than 200 characters")] | None = None

    @model_validator(mode="after")
    def _forward(self) -> "GrowthEntry":
        if self.end is not None and self.end <= self.start:
            raise ValueError(f"“to” is the first day it no longer holds, so {self.end} must be after {self.start}")
        return self

    @property
    def days(self) -> tuple[date, date | None]:
        """The days it holds on, half-open."""
        return self.start, self.end

    def values(self) -> dict[str, object]:
        """What is kept of it beside its name and days."""
        return {"nodes": self.nodes, "workload": self.workload or "", "source": self.source or ""}


def configure_growth(*, entries: Sequence[GrowthEntry]) -> list[Change]:
    """Write committed growth: of a pool's lines of one name, those that the file does not write are removed."""
    pools = {pool.name: pool.id for pool in pool_rows()}
    named: defaultdict[tuple[str, str], list[GrowthEntry]] = defaultdict(list)
    for entry in entries:
        named[entry.pool, entry.name].append(entry)
    return [
        change for (pool, name), lines in named.items() for change in _put(pools[pool], f"{pool}, {name}", name, lines)
    ]


def _put(pool_id: int, label: str, name: str, lines: Sequence[GrowthEntry]) -> Iterable[Change]:
    stored = {
        (line.period.lower, line.period.upper): line
        for line in CommittedGrowth.objects.filter(pool_id=pool_id, name=name)
    }
    wanted = {line.days: line for line in lines}
    gone = [days for days in stored if days not in wanted]
    CommittedGrowth.objects.filter(pk__in=[stored[days].pk for days in gone]).delete()
    yield from (_gone(f"{label} from {days[0]}", stored[days]) for days in gone)
    for days, line in wanted.items():
        yield _written(pool_id, f"{label} from {days[0]}", stored.get(days), line)


def _written(pool_id: int, label: str, before: CommittedGrowth | None, line: GrowthEntry) -> Change:
    values = line.values()
    if before is None:
        days = DateRange(*line.days)
        CommittedGrowth.objects.create(pool_id=pool_id, name=line.name, period=days, entered_by=ENTERED_BY, **values)
        return Change("growth", label, Outcome.CREATED, _VALUES, after=values | {"to": line.end})
    differing = _differing(before, values)
    if not differing:
        return Change("growth", label, Outcome.UNCHANGED)
    told = {field: getattr(before, field) for field in differing}
    for field in differing:
        setattr(before, field, values[field])
    before.entered_by = ENTERED_BY
    before.save(update_fields=[*differing, "entered_by"])
    after = {field: values[field] for field in differing}
    return Change("growth", label, Outcome.UPDATED, differing, before=told, after=after)


def _gone(label: str, line: CommittedGrowth) -> Change:
    return Change("growth", label, Outcome.REMOVED, before={name: getattr(line, name) for name in _VALUES})


def _differing(before: CommittedGrowth, values: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(name for name in _VALUES if getattr(before, name) != values[name])
