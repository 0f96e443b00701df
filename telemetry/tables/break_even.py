"""Both break-even lines with what is held against them, and what decides in one sentence."""

from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.break_even import Shortage
from reservations.domain.shortage import ShortageSpan
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.totals import Totals
from telemetry.domain.verdict import Decides, Verdict, verdict
from telemetry.domain.worth import Worth
from telemetry.tables.usage import share

NAME = "break-even"
TITLE = "Does holding pay"

COLUMNS = (
    Column("line", "line", Kind.TEXT),
    Column("break_even_share", "break-even", Kind.SHARE, term="break_even"),
    Column("busy_paid_share", "busy ÷ paid", Kind.SHARE, term="busy_paid_share"),
    Column("allocated_reserved_share", "allocated ÷ reserved", Kind.SHARE),
    Column("without_cost", "the same hours without the reservation", Kind.MONEY),
    Column("paid_cost", "paid", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("decides", "decides", Kind.YES_NO),
    Column("why_unknown", "why unknown", Kind.TEXT),
)

BY_PRICE, WITH_FAILURES = "by price alone", "with launches that fail"


@dataclass(frozen=True, slots=True)
class EvenLine:
    """One line as the page shows it: its share, how far busy and allocated are from it, or why it is not known."""

    label: str
    term: str
    even: str
    busy: str
    allocated: str
    why: str
    decides: bool


@dataclass(frozen=True, slots=True)
class Even:
    """The sentence, both lines, and the records behind them: of q and L, and of prices that nobody quoted."""

    sentence: str
    busy: str
    allocated: str
    lines: tuple[EvenLine, ...]
    records: tuple[str, ...]


def verdict_of(totals: Totals, worth: Worth) -> Verdict:
    """Whether holding these hours paid, and what decides."""
    return verdict(
        busy=totals.busy_paid_share,
        allocated=totals.allocated_reserved_share,
        even=worth.break_even,
        adjusted=worth.adjusted,
    )


def even_told(totals: Totals, worth: Worth) -> Even:
    """Both lines in words."""
    busy, allocated, found = totals.busy_paid_share, totals.allocated_reserved_share, verdict_of(totals, worth)
    told = (
        (BY_PRICE, "break_even", worth.break_even, worth.why_no_even, Decides.PRICE),
        (WITH_FAILURES, "adjusted_break_even", worth.adjusted, worth.why_no_adjusted, Decides.SHORTAGE),
    )
    return Even(
        sentence=sentence(totals, worth),
        busy=notation.percent(busy),
        allocated=notation.percent(allocated),
        lines=tuple(
            EvenLine(
                label,
                term,
                notation.percent(even),
                _points(busy, even),
                _points(allocated, even),
                _begun(why),
                found.decides is by,
            )
            for label, term, even, why, by in told
        ),
        records=(
            *(_record(one) for one in worth.shortages),
            *(f"A reserved price is derived, as none is quoted: {source}." for source in worth.derived),
        ),
    )


def even_sheet(totals: Totals, worth: Worth, about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """The same with every digit, a row for each line."""
    found = verdict_of(totals, worth)
    told = (
        (BY_PRICE, worth.break_even, worth.on_demand, worth.why_no_even, Decides.PRICE),
        (WITH_FAILURES, worth.adjusted, worth.without, worth.why_no_adjusted, Decides.SHORTAGE),
    )
    shares = (share(totals.busy_paid_share), share(totals.allocated_reserved_share))
    rows = tuple(
        (label, share(even), *shares, cost, worth.paid, worth.currency, found.decides is by, why)
        for label, even, cost, why, by in told
    )
    return Sheet(NAME, TITLE, COLUMNS, rows, (*about, ("what decides", sentence(totals, worth))))


def sentence(totals: Totals, worth: Worth) -> str:
    """Whether holding pays and what decides, in one sentence or two."""
    busy, found = totals.busy_paid_share, verdict_of(totals, worth)
    if found.pays is None:
        return f"Whether holding pays is not known: {_why_unknown(totals, worth)}"
    even, adjusted = notation.percent(worth.break_even), notation.percent(worth.adjusted)
    said = f"busy ÷ paid, {notation.percent(busy)},"
    if found.decides is Decides.IDLE:
        line = adjusted if worth.adjusted is not None else even
        held = notation.percent(totals.allocated_reserved_share)
        return (
            f"Holding does not pay as it is used: {said} is not above the break-even of {line}, and allocated ÷ "
            f"reserved, {held}, is. Idle allocations decide, before the size does."
        )
    if found.decides is Decides.SHORTAGE:
        return _by_shortage(found, said, worth, even, adjusted)
    if worth.adjusted is None:
        side = "above" if found.pays else "not above"
        pays = "pays" if found.pays else "does not pay"
        return f"By price alone holding {pays}: {said} is {side} the break-even of {even}."
    if found.pays:
        return (
            f"Holding pays: {said} is above both lines, {even} by price alone and {adjusted} with launches that fail."
        )
    lines = f"{even} by price alone or {adjusted} with launches that fail"
    return f"Holding does not pay: {said} is above neither line, {lines}."


def _by_shortage(found: Verdict, said: str, worth: Worth, even: str, adjusted: str) -> str:
    if worth.break_even is None:
        side = "above" if found.pays else "not above"
        pays = "pays" if found.pays else "does not pay"
        return f"Holding {pays}: {said} is {side} the break-even with launches that fail, {adjusted}."
    if found.pays:
        return (
            f"Holding pays because launches fail: {said} is not above the break-even by price alone, {even}, but above "
            f"the one with launches that fail, {adjusted}, which decides."
        )
    return (
        f"Holding does not pay, as work that finds no capacity costs less than running it: {said} is above the "
        f"break-even by price alone, {even}, but not above the one with launches that fail, {adjusted}, which decides."
    )


def _why_unknown(totals: Totals, worth: Worth) -> str:
    if totals.busy_paid_share is None:
        return "nothing was paid for." if totals.busy is not None else "busy time is not known in any of these hours."
    return worth.why_no_even


def _points(held: Decimal | None, even: Decimal | None) -> str:
    if held is None or even is None:
        return notation.UNKNOWN
    points = (held - even) * 100
    return f"{notation.grouped(abs(points), 1)} points {'above' if points > 0 else 'below'}"


def _record(one: ShortageSpan) -> str:
    """``20 % of launches fail (12.0 % to 31.4 %), each costs 50 USD a node-hour on top of paying later: …``."""
    between = ""
    if one.interval is not None:
        low, high = map(notation.percent, one.interval)
        between = f" ({low} to {high}, {notation.grouped(one.failures or 0)} of {notation.grouped(one.attempts or 0)})"
    how = "on top of paying on demand later" if one.convention is Shortage.EXTRA else "in place of paying on demand"
    cost = notation.amount(one.shortage_cost, one.currency)
    source = f"{one.source}, " if one.source else ""
    return (
        f"{notation.percent(one.fail_probability)} of launches fail{between}, and a failed one costs {cost} a "
        f"node-hour {how}: {source}recorded {notation.day(one.recorded_on)}."
    )


def _begun(why: str) -> str:
    return f"{why[:1].upper()}{why[1:]}"
