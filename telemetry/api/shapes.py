"""The answers about what happened: the keys are those of the command ``usage``, the meanings those of the glossary."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from ninja import Schema
from pydantic import Field, create_model

from reservations.api.shapes import Number, PageTold
from reservations.domain.glossary import GLOSSARY
from telemetry.tables.usage import COLUMNS

_SUFFIX = "_gpu_hours"
_EXAMPLE = Decimal("1234.5")


class PeriodTold(Schema):
    """What the rows are about, and how far it was due."""

    start: datetime
    end: datetime = Field(description="the first instant that no longer belongs to it")
    accounting_zone: str = Field(description="the zone days and months are cut in", examples=["UTC"])
    to_date: bool = Field(description="part of it was not due yet")
    until: datetime = Field(description="the end of what was due")


def _amount(name: str) -> tuple[Any, Any]:
    meaning = GLOSSARY.get(name.removesuffix(_SUFFIX), "")
    return Number | None, Field(description=meaning, examples=[_EXAMPLE])


_FIELDS: dict[str, tuple[Any, Any]] = {
    **{name: _amount(name) for name in COLUMNS if name.endswith(_SUFFIX)},
    "pool": (str, Field(examples=["serve-h100"])),
    "start": (datetime, Field()),
    "end": (datetime, Field()),
    "hours_missing": (int, Field(description=GLOSSARY["hours_missing"], examples=[0])),
    "coverage_share": (Number | None, Field(description=GLOSSARY["coverage"], examples=[Decimal("0.98")])),
    "flags": (list[str], Field(description="the doubts about its hours (docs/ledger.md)")),
    "final": (bool, Field(description=GLOSSARY["final"])),
}

UsageTold = create_model(
    "UsageTold",
    __base__=Schema,
    __doc__="One pool in one part of the period; null is unknown, never zero.",
    **{name: _FIELDS[name] for name in COLUMNS},
)


class UsagePage(PageTold):
    """Pool by pool, in order of time."""

    period: PeriodTold
    rows: list[UsageTold]


class StepTold(Schema):
    """One step of the waterfall; together they are reserved."""

    step: str = Field(description="its name in the glossary", examples=["idle_held"])
    gpu_hours: Number | None
    reserved_share: Number | None = Field(description="of reserved")
    cost: Number | None = Field(description="at the reserved price; null where no price is known or may be seen")


class WorthTold(Schema):
    """What it is worth in one currency; null with the reason where that cannot be said."""

    currency: str = Field(examples=["USD"])
    paid_cost: Number | None = Field(description="all that was paid for, at the reserved price")
    unusable_cost: Number | None = Field(description="the part of it that was billed outside the usable life")
    cost_of_idle: Number | None = Field(description=GLOSSARY["cost_of_idle"])
    on_demand_cost: Number | None = Field(description="the same hours at the on-demand price")
    break_even_share: Number | None = Field(description=GLOSSARY["break_even"])
    without_cost: Number | None = Field(description="the same hours without the reservation, where launches fail")
    adjusted_break_even_share: Number | None = Field(description=GLOSSARY["adjusted_break_even"])
    pays: bool | None = Field(description="busy ÷ paid is above the adjusted break-even, or above the other if none is")
    decides: str | None = Field(description="price, shortage or idle allocations", examples=["shortage"])
    verdict: str = Field(description="the same in a sentence")
    why_not: str = Field(description="why there are no amounts; blank where there are")
    why_no_idle: str
    why_no_even: str
    why_no_adjusted: str


class MonthTold(Schema):
    """One pool's month in the accounting zone."""

    pool: str
    month: str = Field(examples=["2026-05"])
    period: PeriodTold
    usage: UsageTold
    busy_share: Number | None = Field(description=GLOSSARY["busy_share"])
    busy_paid_share: Number | None = Field(description=GLOSSARY["busy_paid_share"])
    allocated_reserved_share: Number | None = Field(description="allocated ÷ reserved, where allocated is known")
    waterfall: list[StepTold]
    worth: WorthTold


class SourceTold(Schema):
    """One metrics source, or one account's region, as far as its caller may see it."""

    name: str = Field(examples=["prod-a"])
    kind: str = Field(examples=["prometheus"])
    state: str = Field(description="fresh, partial, late, failing or nothing yet", examples=["fresh"])
    pools: list[str] = Field(description="the pools behind it that you may see")
    last_success_at: datetime | None
    data_until: datetime | None = Field(description="the end of what it gave; null: never anything")
    lag_seconds: int | None
    last_error_at: datetime | None
    last_error: str | None = Field(description="null where it may name pools that you may not see")
    hours_missing: int | None = Field(description="of seven days, due and never collected; null for an inventory")
    hours_not_final: int | None = Field(description="of seven days, open longer than they should be")


class HealthTold(Schema):
    as_of: datetime
    sources: list[SourceTold]
