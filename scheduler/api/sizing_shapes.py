"""What a size is asked with and answers, as the description of the API says it."""

from datetime import date, datetime
from typing import Literal

from ninja import Schema
from pydantic import Field

from reservations.api.shapes import NAME, Number
from reservations.domain.glossary import GLOSSARY
from scheduler.domain.sizing.weeks import DRAWS

LONGEST = 60
MOST_DRAWS = 10_000


def _number(description: str) -> str:
    return Field("", max_length=LONGEST, description=f"{description}; as it is recorded without it")


class SizingAsked(Schema):
    """A pool's months, and what is to be assumed of them; every figure is per node-hour."""

    pool: str = Field(max_length=200, pattern=NAME, examples=["serve-h100"])
    month: str = Field("", max_length=LONGEST, description="the last month, `YYYY-MM`; the last full one without it")
    months: str = Field("", max_length=LONGEST, description="how many months; 3 without it")
    workload: list[str] = Field([], max_length=50, description="only these; all without it")
    on_demand: str = _number("the on-demand price")
    reserved: str = _number("the reserved price")
    spot: str = _number("the spot price, for overflow")
    flex: str = _number("the flex price, for overflow")
    fail_probability: str = _number(GLOSSARY["fail_probability"])
    shortage_cost: str = _number(GLOSSARY["shortage_cost"])
    shortage_convention: str = Field("", max_length=LONGEST, description="`extra` or `instead`")
    shed_cost: str = Field("", max_length=LONGEST, description="what a node-hour loses that is turned away; else L")
    overflow: list[str] = Field([], max_length=50, description="`WORKLOAD=spot`, `flex` or `on_demand`, with `:PRICE`")
    current: str = _number("nodes held today")
    spare: str = _number("spare nodes")
    headroom: str = Field("", max_length=LONGEST, description="nodes kept warm")
    minimum_block: str = Field("", max_length=LONGEST, description="the fewest nodes that can be bought")
    maximum_block: str = Field("", max_length=LONGEST, description="the most")
    growth: str = Field("", max_length=4_000, description="more committed lines: name,from,to,nodes, a line each")
    grow: Literal["", "off"] = Field("", description="`off`: count no growth, not even what is recorded")
    term_from: str = Field("", max_length=LONGEST, description="first day of the term to size for")
    term_to: str = Field("", max_length=LONGEST, description="the day after its last")
    allow_short: bool = Field(False, description="size too little data all the same")
    draws: int = Field(DRAWS, ge=0, le=MOST_DRAWS, description="how often weeks are drawn for the band; 0: never")
    seed: int = Field(0, ge=0, lt=2**31)


class CostTold(Schema):
    reserved: Number
    overflow: Number
    total: Number


class AdjustedCostTold(CostTold):
    shortage: Number


class SizeTold(Schema):
    """One size."""

    nodes: int
    hours_share: Number = Field(description="share of the hours that needed this node")
    total_cost: Number
    adjusted_total_cost: Number | None = Field(description="with the expected shortage; null without q and L")
    reserved_cost: Number
    overflow_cost: Number
    adjusted_overflow_cost: Number | None
    shortage_cost: Number | None
    regret: Number = Field(description=GLOSSARY["regret"])
    adjusted_regret: Number | None


class WayTold(Schema):
    """One other way to decide (docs/sizing.md)."""

    way: str = Field(examples=["shed"])
    nodes: int
    total_cost: Number | None
    regret: Number | None
    adjusted_total_cost: Number | None
    adjusted_regret: Number | None
    reason: str | None = Field(description="why it has no cost")


class SensitivityTold(Schema):
    fail_probability: Number
    shortage_cost: Number
    adjusted_break_even_share: Number
    adjusted_reserved_nodes: int
    regret: Number = Field(description="what the proposed size would cost more there")


class CountTold(Schema):
    nodes: int
    draws: int


class NodesBandTold(Schema):
    low: int
    median: int
    high: int
    counts: list[CountTold]


class MoneyBandTold(Schema):
    low: Number
    median: Number
    high: Number


class BandTold(Schema):
    """Nine of ten draws of whole weeks."""

    weeks: int
    draws: int
    seed: int
    hours_left_out: int
    level_share: Number
    reserved_nodes: NodesBandTold
    adjusted_reserved_nodes: NodesBandTold | None
    saving: MoneyBandTold | None


class GrowthTold(Schema):
    name: str
    start: date = Field(alias="from")
    end: date | None = Field(alias="to")
    nodes: Number
    workload: str | None


class EarlierPricesTold(Schema):
    """Prices that held in a part of the hours: those are weighed at them."""

    start: datetime = Field(alias="from")
    end: datetime = Field(alias="to")
    on_demand_price: Number
    reserved_price: Number


class SizingTold(Schema):
    """The size; null where there is not enough data, and `reason` says why."""

    pool: str
    start: datetime
    end: datetime
    hours: int
    measured_hours: int
    missing_hours: int
    not_held_hours: int = Field(description="hours after the first in which nothing was held: neither demand nor gaps")
    held_share: Number = Field(description="from the first hour on, the share in which something was held")
    coverage_share: Number
    workloads: list[str]
    peak_nodes: int
    mean_nodes: Number
    currency: str | None
    on_demand_price: Number
    reserved_price: Number
    price_source: str
    earlier_prices: list[EarlierPricesTold]
    fail_probability: Number | None = Field(description=GLOSSARY["fail_probability"])
    fail_probability_interval: list[Number] | None
    shortage_cost: Number | None = Field(description=GLOSSARY["shortage_cost"])
    shortage_convention: str | None
    shortage_source: str | None
    break_even_share: Number = Field(description=GLOSSARY["break_even"])
    adjusted_break_even_share: Number | None = Field(description=GLOSSARY["adjusted_break_even"])
    reserved_nodes: int | None = Field(description=GLOSSARY["rule_size"])
    adjusted_reserved_nodes: int | None = Field(description=GLOSSARY["adjusted_size"])
    reason: str | None = Field(description="why there is no size, or that there is one of too little data")
    cost: CostTold | None
    adjusted_cost: AdjustedCostTold | None
    all_on_demand_cost: Number | None
    all_reserved_cost: Number | None
    plateau: list[int] | None = Field(description=GLOSSARY["plateau"])
    adjusted_plateau: list[int] | None
    current_nodes: int | None
    spare_nodes: int
    headroom_nodes: int
    minimum_block_nodes: int | None
    maximum_block_nodes: int | None
    to_hold_nodes: int | None
    saving: Number | None = Field(description="what that costs less than today's size, over the same hours")
    curve: list[SizeTold]
    regret: list[WayTold]
    sensitivity: list[SensitivityTold]
    band: BandTold | None
    growth: list[GrowthTold]
    warnings: list[str]
