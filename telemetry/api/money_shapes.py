"""The answers about what was paid twice and what reserving saved: the keys are those of the commands."""

from datetime import datetime

from ninja import Schema
from pydantic import Field

from reservations.api.shapes import Number
from reservations.domain.glossary import GLOSSARY
from telemetry.api.shapes import PeriodTold


class PaidTwiceRow(Schema):
    """One instance beside one reservation, for one cause."""

    pool: str
    reservation: str = Field(description="where the slot was free", examples=["cr-0123456789abcdef0"])
    instance: str = Field(examples=["i-0123456789abcdef0"])
    account: str
    cause: str = Field(description="the probable cause", examples=["opted out"])
    near_miss: bool = Field(description=GLOSSARY["near_miss"])
    instance_hours: Number
    gpu_hours: Number
    cost: Number | None = Field(description="at the on-demand price; null where it is not known or may not be seen")
    currency: str | None = Field(examples=["USD"])
    start: datetime = Field(alias="from")
    until: datetime
    what_to_do: str


class DoublePayTold(Schema):
    """One pool's month; null is unknown, never zero."""

    pool: str
    month: str = Field(examples=["2026-05"])
    period: PeriodTold
    double_pay_instance_hours: Number | None = Field(description=GLOSSARY["double_pay"])
    double_pay_gpu_hours: Number | None
    double_pay_cost: Number | None
    currency: str = Field(examples=["USD"])
    near_miss_instance_hours: Number | None = Field(description=GLOSSARY["near_miss"])
    instances: int
    known_share: Number | None = Field(description="of the usable time of its reservations, of how much it is known")
    rows: list[PaidTwiceRow]


class SavingsTold(Schema):
    """One pool's month; null is unknown, and why stands beside it."""

    pool: str
    month: str = Field(examples=["2026-05"])
    period: PeriodTold
    effective_savings_rate: Number | None = Field(description=GLOSSARY["effective_savings_rate"])
    spent_cost: Number | None = Field(description="paid, in the hours in which busy is known")
    on_demand_equivalent_cost: Number | None = Field(description="their busy time at the on-demand price")
    reserved_coverage_share: Number | None = Field(description=GLOSSARY["reserved_coverage"])
    reserved_used_gpus: Number | None = Field(description="GPUs that ran in the reservations, on average")
    on_demand_used_gpus: Number | None = Field(description="GPUs of its shape that ran on demand beside them")
    not_busy_cost: Number | None = Field(description=GLOSSARY["waste_not_busy"])
    not_allocated_cost: Number | None = Field(description=GLOSSARY["waste_not_allocated"])
    currency: str | None = Field(examples=["USD"])
    why_unknown: str | None
