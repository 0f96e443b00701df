"""What one reservation has cost so far, in words; where that is unknown or not for this person, why."""

from dataclasses import dataclass
from datetime import datetime

from reservations.domain import notation
from reservations.domain.access import Action, Person, may
from reservations.domain.held_now import ReservationRow
from reservations.domain.membership_spans import Backing
from reservations.domain.paid_life import Life, billed, cost_so_far, fee_so_far, gpu_ms_in, instance_ms
from reservations.domain.period import Period
from reservations.domain.pricing import Cost
from reservations.selectors.reservation_detail import BackedPool, DatedSize
from reservations.selectors.reservation_prices import prices_of_life

OTHERS_POOLS = "pools whose prices your roles do not show"

OF_FEE = "Where no price is quoted, that is the fee of its blocks by the paid hour."


@dataclass(frozen=True, slots=True)
class ToldCost:
    """``amount`` blank: unknown, and ``remark`` says why; ``fee`` blank: none is known."""

    amount: str
    remark: str
    fee: str = ""
    fee_shared: str = ""


def told_cost(
    row: ReservationRow, sizes: list[DatedSize], backed: list[BackedPool], person: Person, as_of: datetime
) -> ToldCost:
    """Billed life up to now at each day's reserved price, and the fee; in no pool whose prices are not the person's."""
    life = Life(
        sizes=tuple(size.span for size in sizes),
        backings=tuple(Backing(one.pool_id, one.start, one.end) for one in backed),
        gpus_each=row.gpus_each,
        start_at=row.start_at,
        end_at=row.end_at,
    )
    past = billed(life, until=as_of)
    if not instance_ms(past):
        return ToldCost("", "Nothing of it has been billed yet.", *_fee(row, life, as_of))
    gpus = {one.pool_id: one.gpus_per_node for one in backed}
    seen = {one.pool_id for one in backed if may(person, Action.SEE_PRICES, one.teams)}
    prices = prices_of_life(pool_ids=seen, shape=row.shape, period=Period(past[0].start, as_of))
    cost = cost_so_far(life, as_of=as_of, prices=prices, gpus=gpus)
    hidden = gpu_ms_in(gpus.keys() - seen, life, as_of=as_of, gpus=gpus)
    amount, remark = _amount(cost, hidden, row)
    if amount and any(span.derived for spans in prices.values() for span in spans):
        remark = " ".join(part for part in (remark, OF_FEE) if part)
    return ToldCost(amount, remark, *_fee(row, life, as_of))


def _amount(cost: Cost | None, hidden: int, row: ReservationRow) -> tuple[str, str]:
    """The amount and the remark on it; ``hidden`` GPU-milliseconds of what has no price are in others' pools."""
    if cost is None:
        return "", "It backed no pool for a while, and the GPUs of one instance are unknown."
    if not cost.amounts and hidden:
        return "", f"It backed {OTHERS_POOLS}."
    if not cost.amounts:
        whose = f"the pool {row.pool} or {row.shape}" if row.pool else row.shape or "its instance type"
        return "", f"The price book has no reserved price of {whose} on any day it was billed."
    told = " + ".join(notation.amount(value, currency) for currency, value in cost.amounts.items())
    remarks = []
    if hidden:
        remarks.append(f"Without {notation.gpu_hours(hidden)} GPU-hours in {OTHERS_POOLS}.")
    if cost.unpriced_gpu_ms > hidden:
        unpriced = notation.gpu_hours(cost.unpriced_gpu_ms - hidden)
        remarks.append(f"Without {unpriced} GPU-hours of days that have no price.")
    return told, " ".join(remarks)


def _fee(row: ReservationRow, life: Life, as_of: datetime) -> tuple[str, str]:
    if row.upfront_fee is None:
        return "", ""
    shared = fee_so_far(row.upfront_fee, life, as_of=as_of)
    currency = row.upfront_fee_currency
    return notation.amount(row.upfront_fee, currency), "" if shared is None else notation.amount(shared, currency)
