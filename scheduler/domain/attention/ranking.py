"""The order in which things are shown, and what they come to together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from scheduler.domain.attention.item import Item, Kind

_NEVER = datetime.max.replace(tzinfo=UTC)


def ranked(items: Iterable[Item]) -> list[Item]:
    """What costs most first; then what costs GPU-hours of an unknown price, then what must be decided, then the rest.

    Money of several currencies can't be compared: each stands together, the one with the most GPU-hours first.
    """
    every = list(items)
    gpu_ms = _by_currency(every)

    def place(item: Item) -> tuple[object, ...]:
        day = (item.decide_on is None, item.decide_on or _NEVER.date())
        step = (item.step.verb, item.step.page, item.step.of, item.step.query)
        named = (item.since or _NEVER, item.name, item.kind.value, item.sentence, item.cause, *day, *step)
        if item.weekly is None:
            return (1, *day, *named)
        money, currency = item.weekly.money, item.weekly.currency
        if money is None:
            return (0, 1, 0, "", -item.weekly.gpu_ms, *named, item.weekly.why_not)
        return (0, 0, -gpu_ms[currency], currency, -money, -item.weekly.gpu_ms, *named)

    return sorted(every, key=place)


def _by_currency(items: Sequence[Item]) -> dict[str, int]:
    sums: defaultdict[str, int] = defaultdict(int)
    for item in items:
        if item.weekly is not None and item.weekly.money is not None:
            sums[item.weekly.currency] += item.weekly.gpu_ms
    return sums


def weekly_sums(items: Iterable[Item]) -> dict[str, Decimal]:
    """Money a week by currency, the largest first by GPU-hours; currencies are never added to one another."""
    every = list(items)
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for item in every:
        if item.weekly is not None and item.weekly.money is not None:
            sums[item.weekly.currency] += item.weekly.money
    gpu_ms = _by_currency(every)
    return {currency: sums[currency] for currency in sorted(sums, key=lambda one: (-gpu_ms[one], one))}


def unpriced(items: Iterable[Item]) -> int:
    """GPU-milliseconds a week whose price is unknown, or not for this person to see."""
    return sum(item.weekly.gpu_ms for item in items if item.weekly is not None and item.weekly.money is None)


def of_kinds(items: Iterable[Item]) -> dict[Kind, list[Item]]:
    """Items by kind, in the order of ``Kind``, without the kinds that have none."""
    found: defaultdict[Kind, list[Item]] = defaultdict(list)
    for item in items:
        found[item.kind].append(item)
    return {kind: found[kind] for kind in Kind if kind in found}
