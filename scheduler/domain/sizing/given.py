"""What a command, an address or a call gives to size with, read from text; and what is known where it does not.

The names are those of the query and, with hyphens, of the command's options.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from reservations.domain.break_even import Shortage
from reservations.domain.period import Period
from reservations.domain.pricing import PriceKind
from scheduler.domain.sizing.prices import ShortageTerms, SizingPrices, UnableToSize
from scheduler.domain.sizing.reality import FixedNodes

NUMBER = re.compile(r"-?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})", re.ASCII)
WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)
AMOUNTS = ("on_demand", "reserved", "spot", "flex", "fail_probability", "shortage_cost", "shed_cost")
COUNTS = ("current", "spare", "headroom", "minimum_block", "maximum_block")
LONGEST_TERM = timedelta(days=5 * 366)


@dataclass(frozen=True, slots=True)
class Overflow:
    """How one workload's overflow is bought; ``price`` None: at that kind's price, given or in the price book."""

    kind: PriceKind
    price: Decimal | None


@dataclass(frozen=True, slots=True)
class Given:
    """What was said, None where nothing was; ``workloads`` empty: all of them."""

    on_demand: Decimal | None = None
    reserved: Decimal | None = None
    spot: Decimal | None = None
    flex: Decimal | None = None
    fail_probability: Decimal | None = None
    shortage_cost: Decimal | None = None
    shed_cost: Decimal | None = None
    convention: Shortage | None = None
    current: int | None = None
    spare: int | None = None
    headroom: int | None = None
    minimum_block: int | None = None
    maximum_block: int | None = None
    overflow: Mapping[str, Overflow] = field(default_factory=dict)
    workloads: tuple[str, ...] = ()
    term: Period | None = None


@dataclass(frozen=True, slots=True)
class KnownShortage:
    """A record of q and L: ``interval`` of q where it was estimated, ``currency`` of L."""

    terms: ShortageTerms
    currency: str
    source: str
    recorded_on: date
    interval: tuple[Decimal, Decimal] | None = None


@dataclass(frozen=True, slots=True)
class KnownPrices:
    """The prices per node-hour by kind that records say of a period; without those they don't."""

    period: Period
    prices: Mapping[PriceKind, Decimal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """What records say of a pool: prices per node-hour by kind, their currency and source, q and L, today's size.

    ``prices`` are those in force at the end of the period, ``earlier`` those of parts of it in which others were, all
    in one currency. ``block`` are the fewest and the most nodes that can be bought, where that is known.
    """

    prices: Mapping[PriceKind, Decimal] = field(default_factory=dict)
    currency: str = ""
    source: str = ""
    shortage: KnownShortage | None = None
    current: int | None = None
    spare: int = 0
    earlier: tuple[KnownPrices, ...] = ()
    block: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Priced:
    """The prices to size with, where they come from, and the interval of q where the record has one.

    ``earlier`` are others that held in parts of the time, ``unpriced`` the parts of which no prices are known.
    """

    prices: SizingPrices
    source: str
    shortage_source: str
    interval: tuple[Decimal, Decimal] | None
    warnings: tuple[str, ...]
    earlier: tuple[tuple[KnownPrices, SizingPrices], ...] = ()
    unpriced: tuple[Period, ...] = ()


def read_given(fields: Mapping[str, str], *, overflow: Sequence[str] = (), workloads: Sequence[str] = ()) -> Given:
    """What texts say, blank ones left out; UnableToSize for the first that is not what its name wants."""
    amounts = {name: _amount(fields.get(name, ""), name) for name in AMOUNTS}
    counts = {name: _count(fields.get(name, ""), name) for name in COUNTS}
    return Given(
        on_demand=amounts["on_demand"],
        reserved=amounts["reserved"],
        spot=amounts["spot"],
        flex=amounts["flex"],
        fail_probability=amounts["fail_probability"],
        shortage_cost=amounts["shortage_cost"],
        shed_cost=amounts["shed_cost"],
        current=counts["current"],
        spare=counts["spare"],
        headroom=counts["headroom"],
        minimum_block=counts["minimum_block"],
        maximum_block=counts["maximum_block"],
        convention=_convention(fields.get("shortage_convention", "").strip()),
        overflow=dict(_overflow(text) for text in overflow if text.strip()),
        workloads=tuple(dict.fromkeys(name.strip() for name in workloads if name.strip())),
        term=_term(fields.get("term_from", "").strip(), fields.get("term_to", "").strip()),
    )


def priced(given: Given, known: Known) -> Priced:
    """Prices, q and L: what was given before what is known; UnableToSize where a price is neither.

    q and L of a record in another currency than the prices are left out, and said.
    """
    found = {
        kind: value if value is not None else known.prices.get(kind)
        for kind, value in ((PriceKind.ON_DEMAND, given.on_demand), (PriceKind.RESERVED, given.reserved))
    }
    lacking = [kind.value.replace("_", "-") for kind, value in found.items() if value is None]
    if lacking:
        raise UnableToSize(f"no {' and no '.join(lacking)} price is known: give it")
    on_demand, reserved = (Decimal(found[kind] or 0) for kind in found)
    shortage, source, interval, warnings = _shortage(given, known)
    prices = SizingPrices(on_demand, reserved, known.currency, shortage)
    then = [(one, _then(one, given, prices)) for one in known.earlier]
    return Priced(
        prices=prices,
        earlier=tuple((one, its) for one, its in then if its is not None and its != prices),
        unpriced=tuple(one.period for one, its in then if its is None),
        source=_price_source(given, known),
        shortage_source=source,
        interval=interval,
        warnings=warnings,
    )


def fixed_nodes(given: Given, known: Known) -> FixedNodes:
    """Spare nodes, headroom and blocks: the pool's own spare nodes where none were given."""
    spare = known.spare if given.spare is None else given.spare
    least, most = known.block or (None, None)
    minimum = least if given.minimum_block is None else given.minimum_block
    maximum = most if given.maximum_block is None else given.maximum_block
    return FixedNodes(spare, given.headroom or 0, minimum, maximum)


def _then(one: KnownPrices, given: Given, prices: SizingPrices) -> SizingPrices | None:
    """What an earlier period is weighed at, what was given before what is known; None where a price is neither.

    A price of 0 is no price.
    """
    on_demand = one.prices.get(PriceKind.ON_DEMAND) if given.on_demand is None else given.on_demand
    reserved = one.prices.get(PriceKind.RESERVED) if given.reserved is None else given.reserved
    return replace(prices, on_demand=on_demand, reserved=reserved) if on_demand and reserved else None


def _shortage(
    given: Given, known: Known
) -> tuple[ShortageTerms | None, str, tuple[Decimal, Decimal] | None, tuple[str, ...]]:
    q, lost, record = given.fail_probability, given.shortage_cost, known.shortage
    if record is not None and record.currency != known.currency and lost is None:
        if q is None:
            said = f"q and L are left out: L is recorded in {record.currency}, and the prices are in {known.currency}"
            return None, "", None, (said,)
        record = None
    if record is not None:
        convention = given.convention or record.terms.convention
        chance = record.terms.fail_probability if q is None else q
        loss = record.terms.shortage_cost if lost is None else lost
        whose = "given" if None not in (q, lost) else f"{record.source}, {record.recorded_on.isoformat()}"
        return ShortageTerms(chance, loss, convention), whose, record.interval if q is None else None, ()
    if q is None and lost is None:
        return None, "", None, ()
    if q is None or lost is None:
        name = "fail probability" if q is None else "shortage cost"
        raise UnableToSize(f"the {name} is not known: the fail probability and the shortage cost go together")
    return ShortageTerms(q, lost, given.convention or Shortage.EXTRA), "given", None, ()


def _price_source(given: Given, known: Known) -> str:
    if None not in (given.on_demand, given.reserved):
        return "given"
    quote = known.source or "price book"
    return quote if given.on_demand is given.reserved else f"{quote}, and given"


def _amount(text: str, name: str) -> Decimal | None:
    text = text.strip()
    if not text:
        return None
    if not NUMBER.fullmatch(text):
        raise UnableToSize(f"the {_words(name)} “{text[:40]}” is not a number: digits with a point, as 12.5")
    value = Decimal(text)
    if name == "shed_cost" and value < 0:
        raise UnableToSize(f"the shed cost is {value}: it can't be below 0")
    return value


def _count(text: str, name: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not WHOLE.fullmatch(text) or int(text) < 0:
        raise UnableToSize(f"the {_words(name)} “{text[:40]}” is not a whole number from 0 on")
    if int(text) > 100_000:
        raise UnableToSize(f"the {_words(name)} of {text} nodes is beyond any fleet")
    return int(text)


def _convention(text: str) -> Shortage | None:
    if not text:
        return None
    try:
        return Shortage(text)
    except ValueError as error:
        raise UnableToSize(f"the shortage convention “{text[:40]}” is neither extra nor instead") from error


def _overflow(text: str) -> tuple[str, Overflow]:
    workload, _, way = text.strip().rpartition("=")
    kind, _, price = way.partition(":")
    kinds = {one.value: one for one in (PriceKind.ON_DEMAND, PriceKind.SPOT, PriceKind.FLEX)}
    if not workload or kind not in kinds:
        wanted = "WORKLOAD=on_demand, spot or flex, with :PRICE or without"
        raise UnableToSize(f"the overflow “{text[:40]}” is not {wanted}")
    return workload, Overflow(kinds[kind], _amount(price, f"{kind} price of {workload}"))


def _term(start: str, end: str) -> Period | None:
    if not start and not end:
        return None
    if not start or not end:
        raise UnableToSize("a term has a first day and a day after its last: give both")
    days = []
    for text in (start, end):
        try:
            days.append(datetime.combine(date.fromisoformat(text), time(), tzinfo=UTC))
        except ValueError as error:
            raise UnableToSize(f"the term's day “{text[:40]}” is not a day: write it as 2027-05-09") from error
    if days[1] <= days[0]:
        raise UnableToSize(f"the term must end after it starts, and {end} is not after {start}")
    if days[1] - days[0] > LONGEST_TERM:
        raise UnableToSize("a term is at most five years long")
    return Period(days[0], days[1])


def _words(name: str) -> str:
    words = {
        "on_demand": "on-demand price",
        "reserved": "reserved price",
        "spot": "spot price",
        "flex": "flex price",
        "current": "current size",
        "spare": "number of spare nodes",
        "headroom": "warm headroom",
    }
    return words.get(name, name.replace("_", " "))
