"""What a pool's hours cost, as far as prices are known and the person may see them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from decimal import Decimal

from reservations.domain.access import Action
from reservations.domain.break_even import UnableToBreakEven, break_even_share
from reservations.domain.pricing import PriceKind, PriceSpan, cost_by_hour
from reservations.selectors.prices import quotes_during
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.waterfall import hour_steps
from telemetry.tables.tiles import Cost
from telemetry.views.asked import Asked

Quantities = Iterable[tuple[datetime, int | None]]


@dataclass(frozen=True, slots=True)
class Money:
    """Cost of idle and break-even for the tiles; for the waterfall ``paid`` and each step by name, in one currency.

    ``unusable`` is the part of ``paid`` that was billed outside the usable life.
    """

    cost: Cost
    steps: Mapping[str, Decimal | None] = field(default_factory=dict)
    unusable: Decimal | None = None

    @property
    def currency(self) -> str:
        """The one currency of all amounts; blank where there are none."""
        return self.cost.currency


def money_of(asked: Asked, hours: Sequence[LedgerHour]) -> Money:
    """The cost of one pool's hours; without amounts and with the reason where they cannot be given."""
    if asked.pool is None or not asked.may(Action.SEE_PRICES):
        return _none("your role does not include prices.")
    prices = quotes_during(pool_id=asked.pool.id, period=asked.period)
    if not prices:
        return _none("no price is known for this pool.")
    if len({span.currency for span in prices}) > 1:
        return _none("this month's prices are in more than one currency.")
    book = _Book(tuple(prices), asked.pool.gpus_per_node, prices[0].currency)
    paid = book.cost((row.hour, row.paid) for row in hours)
    if paid is None:
        return _none("some of these days have no reserved price.")
    idle = book.cost((row.hour, row.idle) for row in hours) if any(row.idle is not None for row in hours) else None
    why_not = "" if idle is not None else "idle time is not known in any hour of this month."
    return Money(
        Cost(idle, book.currency, *_break_even(book, hours, paid), why_not=why_not),
        {"paid": paid, **_steps(book, hours)},
        book.cost((row.hour, row.paid - row.reserved) for row in hours),
    )


def _none(why: str) -> Money:
    return Money(Cost(why_not=why, why_no_even=why))


@dataclass(frozen=True, slots=True)
class _Book:
    prices: tuple[PriceSpan, ...]
    gpus_per_node: Decimal
    currency: str

    def cost(self, quantities: Quantities, kind: PriceKind = PriceKind.RESERVED) -> Decimal | None:
        """What they cost together; None where a day with some of them has no price."""
        total = cost_by_hour(
            quantities=_by_day(quantities), prices=self.prices, kind=kind, gpus_per_node=self.gpus_per_node
        )
        return None if total.unpriced_gpu_ms else total.amounts.get(self.currency, Decimal(0))


def _by_day(quantities: Quantities) -> list[tuple[datetime, int]]:
    """Sums by UTC day: prices change between days only, so the cost is the same and quicker had."""
    days: defaultdict[datetime, int] = defaultdict(int)
    for hour, gpu_ms in quantities:
        if gpu_ms is not None:
            days[datetime.combine(hour.astimezone(UTC).date(), time(), tzinfo=UTC)] += gpu_ms
    return [(day, gpu_ms) for day, gpu_ms in days.items() if gpu_ms]


def _steps(book: _Book, hours: Sequence[LedgerHour]) -> dict[str, Decimal | None]:
    columns: defaultdict[str, list[tuple[datetime, int | None]]] = defaultdict(list)
    for row in hours:
        for name, gpu_ms in hour_steps(row).items():
            columns[name].append((row.hour, gpu_ms))
    known = {name for name, column in columns.items() if any(gpu_ms is not None for _, gpu_ms in column)}
    return {name: book.cost(column) if name in known else None for name, column in columns.items()}


def _break_even(book: _Book, hours: Sequence[LedgerHour], paid: Decimal) -> tuple[Decimal | None, str]:
    """Σ paid at the reserved price ÷ Σ paid at the on-demand price; or None and why there is none."""
    on_demand = book.cost(((row.hour, row.paid) for row in hours), PriceKind.ON_DEMAND)
    if on_demand is None:
        return None, "some of these days have no on-demand price."
    try:
        return break_even_share(reserved=paid, on_demand=on_demand), ""
    except UnableToBreakEven as unable:
        return None, f"{unable}."
