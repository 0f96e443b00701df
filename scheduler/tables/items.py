"""What needs a decision or a look as rows to read and as a sheet to take away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from reservations.domain import notation
from reservations.tables.sheet import Column, Sheet
from reservations.tables.sheet import Kind as Cells
from scheduler.domain.attention.item import Item, Kind, NextStep
from scheduler.tables.wording import KIND_NAMES, decide_words, since_words
from telemetry.tables.usage import gpu_hours

COLUMNS = (
    Column("kind", "kind", Cells.TEXT),
    Column("object", "object", Cells.TEXT),
    Column("sentence", "what", Cells.TEXT),
    Column("cause", "why", Cells.TEXT),
    Column("since", "since", Cells.INSTANT),
    Column("gpu_hours_a_week", "GPU-hours a week", Cells.GPU_HOURS, "GPU-hours"),
    Column("money_a_week", "money a week", Cells.MONEY),
    Column("currency", "currency", Cells.TEXT),
    Column("decide_on", "decide by", Cells.DAY),
    Column("next_step", "next step", Cells.TEXT),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One item in words: ``figure`` leads, ``beside`` says what it is of; a date has ``before`` it what it is for.

    ``urgent``: it is too late already.
    """

    kind: Kind
    tag: str
    before: str
    figure: str
    beside: str
    urgent: bool
    name: str
    sentence: str
    cause: str
    since: str
    since_at: datetime | None
    step: NextStep


def rows(items: Sequence[Item], *, as_of: datetime, zone: tzinfo) -> list[Row]:
    """Items in their order; days are those of ``zone``."""
    return [_row(item, as_of, zone) for item in items]


def _row(item: Item, as_of: datetime, zone: tzinfo) -> Row:
    before, figure, beside = _lead(item, as_of, zone)
    return Row(
        kind=item.kind,
        tag=KIND_NAMES[item.kind],
        before=before,
        figure=figure,
        beside=beside,
        urgent=item.decide_on is not None and item.decide_on < as_of.astimezone(zone).date(),
        name=item.name,
        sentence=item.sentence,
        cause=item.cause,
        since=_since(item, as_of, zone),
        since_at=item.since,
        step=item.step,
    )


_SINCE_OF = {Kind.RESERVED_UNUSED: "some free", Kind.HELD_IDLE: "that pod idle"}
"""What has lasted so long, where it is not the whole of what is said."""


def _since(item: Item, as_of: datetime, zone: tzinfo) -> str:
    if item.since is None:
        return ""
    words = since_words(item.since, as_of, zone)
    return f"{_SINCE_OF[item.kind]} {words}" if item.kind in _SINCE_OF else words


def _lead(item: Item, as_of: datetime, zone: tzinfo) -> tuple[str, str, str]:
    """What stands before the sentence: money, else GPU-hours and why there is no money, else the date or the kind."""
    weekly = item.weekly
    if weekly is not None and weekly.money is not None:
        return "", notation.grouped(weekly.money), f"{weekly.currency} a week"
    if weekly is not None:
        return "", notation.gpu_hours(weekly.gpu_ms), f"GPU-hours a week; {weekly.why_not}"
    if item.decide_on is not None:
        return decide_words(item.decide_on, as_of.astimezone(zone).date()), notation.day(item.decide_on), ""
    return "", KIND_NAMES[item.kind], "cost unknown" if item.kind is Kind.UNOWNED else ""


def items_sheet(items: Sequence[Item], about: tuple[tuple[str, str], ...]) -> Sheet:
    """Every item in its order, with all digits; money keeps its currency beside it."""
    return Sheet("items", "What needs a decision or a look", COLUMNS, tuple(_cells(item) for item in items), about)


def _cells(item: Item) -> tuple[object, ...]:
    weekly = item.weekly
    return (
        KIND_NAMES[item.kind],
        item.name,
        item.sentence,
        item.cause,
        item.since,
        None if weekly is None else gpu_hours(weekly.gpu_ms),
        None if weekly is None else weekly.money,
        weekly.currency or None if weekly is not None else None,
        item.decide_on,
        item.step.verb,
    )
