"""What was paid twice: each instance with its probable cause, each pool in one row, and the sentence above them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.double_pay.parties import Cause
from telemetry.selectors.double_pay import PaidTwiceFound, PaidTwiceLine
from telemetry.tables.usage import gpu_hours, share

NAME = "double-pay"
TITLE = "Paid twice"
NAMED = 2
"""Reservations that a row of several names before it counts the rest."""

LABELS: Mapping[Cause, str] = {
    Cause.OPTED_OUT: "opted out",
    Cause.NAMES_ANOTHER: "names another reservation",
    Cause.NAMES_GROUP: "names a group",
    Cause.NOT_NAMED: "does not name it",
    Cause.NOT_SHARED: "not shared",
    Cause.NOT_MOVED_BACK: "not moved back",
    Cause.MISSED: "missed",
    Cause.UNKNOWN: "not told",
    Cause.OTHER_ZONE: "other zone",
    Cause.OTHER_PLATFORM: "other platform",
    Cause.OTHER_TENANCY: "other tenancy",
    Cause.NOT_PLACED: "not placed",
}

ADVICE: Mapping[Cause, str] = {
    Cause.OPTED_OUT: "its preference is “none”, so it uses no reservation: launch with “open”, or name the reservation",
    Cause.NAMES_ANOTHER: "it names another reservation: let it name this one, or launch it as “open”",
    Cause.NAMES_GROUP: "it names a group: add the reservation to that group",
    Cause.NOT_NAMED: "the reservation is targeted and the instance does not name it: name it in the launch template",
    Cause.NOT_SHARED: "its account does not see the reservation: share it with that account",
    Cause.NOT_MOVED_BACK: "it was launched before the slot became free and was not moved back: replace it",
    Cause.MISSED: "a slot was free when it was launched and it was willing: see what launched it",
    Cause.UNKNOWN: "when it was launched, what it was willing to use, or since when the slot was free is not known",
    Cause.OTHER_ZONE: "the free slot is in another zone (by zone id): launch it there",
    Cause.OTHER_PLATFORM: "the reservation is for another platform: reserve the one that runs",
    Cause.OTHER_TENANCY: "the reservation is for another tenancy: reserve the one that runs",
    Cause.NOT_PLACED: "the zone, platform or tenancy of one of them is not known",
}

COLUMNS = (
    Column("pool", "pool", Kind.TEXT),
    Column("reservation", "free slot in", Kind.TEXT),
    Column("instance", "instance", Kind.TEXT),
    Column("account", "account", Kind.TEXT),
    Column("cause", "probable cause", Kind.TEXT),
    Column("near_miss", "near miss", Kind.YES_NO),
    Column("instance_hours", "ran beside it", Kind.GPU_HOURS, "hours"),
    Column("gpu_hours", "GPU time", Kind.GPU_HOURS, "GPU-hours", "double_pay"),
    Column("cost", "cost on demand", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("from", "from", Kind.INSTANT),
    Column("until", "until", Kind.INSTANT),
    Column("what_to_do", "what to do", Kind.TEXT),
)

POOL_COLUMNS = (
    "pool", "double_pay_instance_hours", "double_pay_gpu_hours", "double_pay_cost", "currency",
    "near_miss_instance_hours", "instances", "known_share",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PoolPaidTwice:
    """One pool's sums, in milliseconds of instances and of GPUs; None: of none of its usable time it is known.

    ``cost`` is None where a part has no price, too; ``known`` is the share of its usable time of which it is known.
    """

    pool: str
    instance_ms: int | None
    gpu_ms: int | None
    near_ms: int | None
    cost: Decimal | None
    currency: str
    instances: int
    known: Decimal | None


def pool_paid_twice(pool_id: int, name: str, found: PaidTwiceFound) -> PoolPaidTwice:
    """The sums of one pool's lines."""
    usable, unknown = found.usable_ms.get(pool_id, 0), found.unknown_ms.get(pool_id, 0)
    lines = [line for line in found.lines if line.pool_id == pool_id]
    twice = [line for line in lines if not line.near]
    nothing_known = bool(usable) and unknown == usable
    cost, currency = cost_of(twice)
    return PoolPaidTwice(
        pool=name,
        instance_ms=None if nothing_known else sum(line.instance_ms for line in twice),
        gpu_ms=None if nothing_known else sum(line.gpu_ms for line in twice),
        near_ms=None if nothing_known else sum(line.instance_ms for line in lines if line.near),
        cost=None if nothing_known else cost,
        currency=currency,
        instances=len({(line.account_id, line.instance_id) for line in twice}),
        known=Decimal(usable - unknown) / Decimal(usable) if usable else None,
    )


def cost_of(lines: Sequence[PaidTwiceLine]) -> tuple[Decimal | None, str]:
    """The cost of some lines and its currency; 0 without any, None where one is not priced or two currencies meet."""
    if not lines:
        return Decimal(0), ""
    costs = [line.cost for line in lines if line.cost is not None]
    currencies = {line.currency for line in lines}
    if len(costs) < len(lines) or len(currencies) > 1:
        return None, ""
    return sum(costs, Decimal(0)), currencies.pop()


def pool_row(one: PoolPaidTwice) -> dict[str, object]:
    """One pool under the names that commands and the API have."""
    return {
        "pool": one.pool,
        "double_pay_instance_hours": gpu_hours(one.instance_ms),
        "double_pay_gpu_hours": gpu_hours(one.gpu_ms),
        "double_pay_cost": one.cost,
        "currency": one.currency,
        "near_miss_instance_hours": gpu_hours(one.near_ms),
        "instances": one.instances,
        "known_share": share(one.known),
    }


def double_pay_sheet(found: PaidTwiceFound) -> Sheet:
    """One row for each instance, reservation and cause: first what was paid twice, longest first, then near misses."""
    return Sheet(NAME, TITLE, COLUMNS, tuple(_row(line) for line in found.lines))


TWIN_COLUMNS = (
    Column("pool", "pool", Kind.TEXT),
    Column("cause", "probable cause", Kind.TEXT),
    Column("instances", "instances", Kind.COUNT),
    Column("reservation", "free slots in", Kind.TEXT),
    Column("instance_hours", "ran beside them", Kind.GPU_HOURS, "hours"),
    Column("cost", "cost on demand", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("from", "from", Kind.INSTANT),
    Column("until", "until", Kind.INSTANT),
    Column("what_to_do", "what to do", Kind.TEXT),
)


def double_pay_twin(found: PaidTwiceFound, *, pools: bool) -> Sheet:
    """One row for each pool and cause, first what was paid twice, longest first; each instance stands in the file."""
    lines: dict[tuple[str, Cause], list[PaidTwiceLine]] = {}
    for line in found.lines:
        lines.setdefault((line.pool, line.cause), []).append(line)
    groups = sorted(lines.values(), key=lambda some: (some[0].near, -_ms(some), some[0].pool, some[0].cause))
    left_out = set() if pools else {"pool"}
    if len({line.currency for line in found.lines}) < 2:
        left_out.add("currency")
    shown = [number for number, column in enumerate(TWIN_COLUMNS) if column.name not in left_out]
    rows = tuple(tuple(_group(some)[number] for number in shown) for some in groups)
    return Sheet(NAME, TITLE, tuple(_with_unit(TWIN_COLUMNS[number], found) for number in shown), rows)


def _group(lines: Sequence[PaidTwiceLine]) -> tuple[object, ...]:
    """Lines of one pool and cause together; a cost that two currencies meet in is in the file alone."""
    reservations = sorted({line.reservation for line in lines})
    more = len(reservations) - NAMED
    named = ", ".join(reservations[:NAMED]) + (f" and {more} more" if more > 0 else "")
    cost, currency = cost_of(lines)
    return (
        lines[0].pool,
        LABELS[lines[0].cause],
        len({(line.account_id, line.instance_id) for line in lines}),
        named,
        gpu_hours(_ms(lines)),
        cost,
        currency or None,
        min(line.first for line in lines),
        max(line.last for line in lines),
        ADVICE[lines[0].cause],
    )


def double_pay_summary(found: PaidTwiceFound) -> str:
    """How much was paid twice, what that cost and why most of it; near misses and what is not known apart."""
    twice = [line for line in found.lines if not line.near]
    near = sum(line.instance_ms for line in found.lines if line.near)
    if twice:
        count = len({line.instance_id for line in twice})
        ran = f"{notation.grouped(count)} instance{'s' if count > 1 else ''} ran {_hours(_ms(twice))} on demand"
        cause = max(Cause, key=lambda one: sum(line.instance_ms for line in twice if line.cause is one))
        most = _hours(sum(line.instance_ms for line in twice if line.cause is cause))
        said = f"{ran} while a slot that fits was free{_money(twice)}. Most of it ({most}): {ADVICE[cause]}."
    else:
        said = "No instance ran on demand while a slot that fits it was free."
    if near:
        said += f" Near misses, which fit in all but zone, platform or tenancy: {_hours(near)}."
    return f"{said}{_unknown(found)}"


def why_no_double_pay(found: PaidTwiceFound) -> tuple[str, str]:
    """Why nothing is told of, and what to do about it; both blank where there is something to tell."""
    if found.lines:
        return "", ""
    if not any(found.usable_ms.values()):
        return "No reservation that backs a pool could be used in this time.", ""
    if not found.listed:
        why = "What ran on demand beside the reservations was not looked at in this time."
        return why, "Allow ec2:DescribeInstances for every account; the data's health says where it is refused."
    return double_pay_summary(found), ""


def _row(line: PaidTwiceLine) -> tuple[object, ...]:
    return (
        line.pool,
        line.reservation,
        line.instance_id,
        line.account_id,
        LABELS[line.cause],
        line.near,
        gpu_hours(line.instance_ms),
        gpu_hours(line.gpu_ms),
        line.cost,
        line.currency or None,
        line.first,
        line.last,
        ADVICE[line.cause],
    )


def _with_unit(column: Column, found: PaidTwiceFound) -> Column:
    currencies = {line.currency for line in found.lines}
    if column.name != "cost" or len(currencies) != 1:
        return column
    return Column(column.name, column.label, column.kind, *currencies)


def _money(lines: Sequence[PaidTwiceLine]) -> str:
    cost, currency = cost_of(lines)
    return "" if cost is None else f": {notation.amount(cost, currency)} that the slots had been paid for already"


def _unknown(found: PaidTwiceFound) -> str:
    usable, unknown = sum(found.usable_ms.values()), sum(found.unknown_ms.values())
    if not unknown:
        return ""
    part = notation.percent(Decimal(unknown) / Decimal(usable))
    return f" For {part} of the time that reservations could be used it is not known."


def _ms(lines: Sequence[PaidTwiceLine]) -> int:
    return sum(line.instance_ms for line in lines)


def _hours(ms: int) -> str:
    return f"{notation.gpu_hours(ms)} hour{'' if ms == HOUR_MS else 's'}"
