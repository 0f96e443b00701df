"""What purchases assumed, as a configuration file says: one record for each pool, day and reservation."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from reservations.domain.change import Change, Outcome
from reservations.domain.currency import CURRENCIES
from reservations.selectors.pools import pool_rows
from reservations.services.configuration.texts import NUMBER, Day, Entry, Name, Text, shaped
from scheduler.models import PurchaseAssumption
from scheduler.services.configuration.growth import ENTERED_BY

MOST_NODES_WHOLE = 100_000
_VALUES = (
    "nodes", "mean_nodes", "peak_nodes", "busy_share", "break_even", "on_demand", "reserved", "currency", "author",
    "note",
)  # fmt: skip


def _number(most: int, places: int) -> BeforeValidator:
    def read(value: object) -> Decimal:
        if isinstance(value, bool) or not NUMBER.fullmatch(str(value)) or not 0 <= Decimal(str(value)) <= most:
            raise ValueError(f"“{value}” is not a number from 0 to {most}")
        number = Decimal(str(value))
        if number != round(number, places):
            raise ValueError(f"{value} has more than {places} decimals: round it")
        return number

    return BeforeValidator(read)


Nodes = Annotated[Decimal, _number(MOST_NODES_WHOLE, 4)]
Share = Annotated[Decimal, _number(1, 4)]
Ratio = Annotated[Decimal, _number(100, 4)]
Price = Annotated[Decimal, _number(1_000_000_000, 6)]


class PurchaseEntry(Entry):
    """One purchase and what it was justified with."""

    pool: Name
    bought_on: Day
    nodes: Annotated[int, Field(gt=0, le=MOST_NODES_WHOLE)]
    author: Annotated[Text, shaped(r".{1,150}", "is longer than 150 characters")]
    reservation: Annotated[Text, shaped(r".{1,256}", "is longer than 256 characters")] | None = None
    mean_nodes: Nodes | None = None
    peak_nodes: Nodes | None = None
    busy_share: Share | None = None
    break_even: Ratio | None = None
    on_demand: Price | None = None
    reserved: Price | None = None
    currency: Text | None = None
    note: Annotated[Text, shaped(r".{1,2000}", "is longer than 2000 characters")] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "PurchaseEntry":
        if self.mean_nodes is None and self.peak_nodes is None and self.busy_share is None:
            raise ValueError("a purchase assumed something: write mean_nodes, peak_nodes or busy_share")
        if (self.on_demand is not None or self.reserved is not None) and self.currency not in CURRENCIES:
            raise ValueError("prices need a currency, as USD")
        return self

    @property
    def key(self) -> tuple[str, object, str]:
        """What there is one of."""
        return self.pool, self.bought_on, self.reservation or ""

    def values(self) -> dict[str, object]:
        """What is kept of it beside its key."""
        return {name: getattr(self, name) for name in _VALUES} | {
            "currency": self.currency or "",
            "note": self.note or "",
        }


def configure_purchases(*, entries: Sequence[PurchaseEntry]) -> list[Change]:
    """Write what purchases assumed; those that the file does not write are left alone."""
    pools = {pool.name: pool.id for pool in pool_rows()}
    return [_put(pools[entry.pool], entry) for entry in entries]


def _put(pool_id: int, entry: PurchaseEntry) -> Change:
    label = f"{entry.pool} on {entry.bought_on}"
    values = entry.values()
    found = PurchaseAssumption.objects.filter(
        pool_id=pool_id, bought_on=entry.bought_on, reservation=entry.reservation or ""
    ).first()
    if found is None:
        PurchaseAssumption.objects.create(
            pool_id=pool_id,
            bought_on=entry.bought_on,
            reservation=entry.reservation or "",
            entered_by=ENTERED_BY,
            **values,
        )
        return Change("purchase", label, Outcome.CREATED, _VALUES, after=values)
    differing = tuple(name for name in _VALUES if getattr(found, name) != values[name])
    if not differing:
        return Change("purchase", label, Outcome.UNCHANGED)
    before = {name: getattr(found, name) for name in differing}
    for name in differing:
        setattr(found, name, values[name])
    found.entered_by = ENTERED_BY
    found.save(update_fields=[*differing, "entered_by"])
    after = {name: values[name] for name in differing}
    return Change("purchase", label, Outcome.UPDATED, differing, before=before, after=after)
