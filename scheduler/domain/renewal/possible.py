"""What can still be done about a reservation's end: each way with when it opens and closes, and for how many nodes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from reservations.domain import notation
from reservations.domain.reservation_state import Kind, State
from scheduler.domain.recommendation.moves import EXTENSION_CLOSES, EXTENSION_OPENS, Part, moves_of
from scheduler.domain.renewal.standing import CHOICE_WORDS, Choice

EXTENSION_SURE = timedelta(hours=12)
"""A payment may take so long: an extension bought later may fail, and the block ends at its old end."""

BLOCK_OPENS = timedelta(days=56)
BLOCK_CLOSES = timedelta(minutes=30)
"""A new block can be bought from eight weeks to half an hour before it starts."""

BLOCK_SURE = timedelta(hours=12, minutes=5)
"""A purchase that is not paid five minutes before its start is released, and a payment may take twelve hours."""

LARGEST_BLOCK = 64
LONGEST_BLOCK = timedelta(days=182)


class How(StrEnum):
    """By what a choice is carried out."""

    EXTENSION = "extension"
    NEW_BLOCK = "new_block"
    CHANGE = "change"
    CONTRACT = "contract"
    NOTHING = "nothing"


HOW_WORDS = {
    How.EXTENSION: "extend the block",
    How.NEW_BLOCK: "buy a block that starts at the end",
    How.CHANGE: "change the reservation",
    How.CONTRACT: "agree on it with the provider",
    How.NOTHING: "do nothing",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """A reservation on its way to ``part.end_at``; ``nodes`` None: nobody knows how many it holds.

    ``extension_pending``: an extension waits for its payment, and until then no other can be bought.
    """

    part: Part
    nodes: int | None
    start_at: datetime | None = None
    extension_pending: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """One way to carry out a choice in ``[opens_at, closes_at)``; None: from ever, and for as long as it lasts.

    From ``sure_until`` on it may fail. ``least`` and ``most`` nodes: None is no bound.
    """

    choice: Choice
    how: How
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    sure_until: datetime | None = None
    least: int | None = None
    most: int | None = None

    def open_at(self, now: datetime) -> bool:
        """Whether it can be gone at an instant."""
        return (self.opens_at is None or self.opens_at <= now) and not self.closed_at(now)

    def closed_at(self, now: datetime) -> bool:
        """Whether it can't be gone any more."""
        return self.closes_at is not None and self.closes_at <= now

    def takes(self, nodes: int | None) -> bool:
        """Whether it leads to so many nodes."""
        if nodes is None:
            return self.choice is Choice.LAPSE
        return (self.least is None or self.least <= nodes) and (self.most is None or nodes <= self.most)


@dataclass(frozen=True, slots=True)
class Possible:
    """Every way that is open or still opens, and in one sentence what kind and state allow."""

    ways: tuple[Way, ...]
    why: str

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be decided on, in the order of :class:`Choice`."""
        return tuple(choice for choice in Choice if any(way.choice is choice for way in self.ways))


_LAPSE = Way(Choice.LAPSE, How.NOTHING)


def possible_at_end(ending: Ending, *, now: datetime) -> Possible:
    """What can be done about its end at an instant; nothing for what is over or has no end."""
    part = ending.part
    if part.end_at is None:
        return Possible((), "It has no end.")
    if part.state in (State.ENDED, State.FAILED):
        return Possible((_LAPSE,) if part.state is State.ENDED else (), "It is over.")
    if part.end_at <= now:
        return Possible((_LAPSE,), "Its end has passed: nothing that starts there can be bought any more.")
    if part.state is State.REQUESTED:
        return Possible((), moves_of(part, now).why + " What is not paid or granted is not renewed.")
    ways = [way for way in _ways(ending, part.end_at) if not way.closed_at(now)]
    return Possible((*ways, _LAPSE), _why(ending, now, part.end_at))


def why_not_decide(
    possible: Possible, *, choice: Choice, nodes: int | None, until: datetime | None, end: datetime, kind: Kind
) -> str:
    """Why this can't be decided, in one sentence; blank where it can."""
    if choice not in possible.choices:
        return f"It can't be decided to {CHOICE_WORDS[choice]}: {_lower(possible.why)}"
    if choice is Choice.LAPSE:
        return "" if nodes is None and until is None else "What lapses has neither nodes nor a new end."
    if nodes is None or nodes <= 0:
        return "Say how many nodes are to be held from the old end on."
    if not any(way.choice is choice and way.takes(nodes) for way in possible.ways):
        return f"{notation.grouped(nodes)} nodes can't be had so: {_sizes(possible, choice)}."
    return _why_not_until(until, end, kind)


def _why_not_until(until: datetime | None, end: datetime, kind: Kind) -> str:
    if until is None:
        return "A block needs an end: say until when." if kind is Kind.BLOCK else ""
    if until <= end:
        return f"It must go on past its old end, {notation.instant(end)}."
    if kind is Kind.BLOCK and until - end > LONGEST_BLOCK:
        return f"A block lasts {LONGEST_BLOCK.days} days at most: {notation.instant(until)} is later than that."
    return ""


def _ways(ending: Ending, end: datetime) -> Iterable[Way]:
    part, held = ending.part, ending.nodes
    if part.kind is Kind.BLOCK:
        if part.state in (State.ACTIVE, State.SCHEDULED) and not ending.extension_pending:
            yield Way(
                Choice.RENEW, How.EXTENSION, end - EXTENSION_OPENS, end - EXTENSION_CLOSES, end - EXTENSION_SURE,
                held, held,
            )  # fmt: skip
        yield from _new_blocks(held, end)
    elif part.kind is Kind.MANUAL:
        yield Way(Choice.RENEW, How.CONTRACT, least=held, most=held)
        yield from _resized(held, Way(Choice.RESIZE, How.CONTRACT))
    elif part.kind in (Kind.ON_DEMAND, Kind.FUTURE) and part.state in (State.ACTIVE, State.SCHEDULED):
        opens = ending.start_at if part.state is State.SCHEDULED else None
        yield Way(Choice.RENEW, How.CHANGE, opens, end, least=held, most=held)
        yield from _changes(ending, end, opens)


def _new_blocks(held: int | None, end: datetime) -> Iterable[Way]:
    for choice in (Choice.RENEW, Choice.RESIZE):
        one = Way(choice, How.NEW_BLOCK, end - BLOCK_OPENS, end - BLOCK_CLOSES, end - BLOCK_SURE, 1, LARGEST_BLOCK)
        if choice is Choice.RESIZE:
            yield from _resized(held, one)
        elif held is None or held <= LARGEST_BLOCK:
            yield _bounded(one, held, held)


def _changes(ending: Ending, end: datetime, opens: datetime | None) -> Iterable[Way]:
    """Growing at any time; shrinking from the commitment's end on, if that lies before the end."""
    held, bound = ending.nodes, ending.part.commitment_end_at
    if held is None:
        yield Way(Choice.RESIZE, How.CHANGE, opens, end)
        return
    yield Way(Choice.RESIZE, How.CHANGE, opens, end, least=held + 1)
    freed = opens if bound is None else bound if opens is None else max(bound, opens)
    if held > 1 and (freed is None or freed < end):
        yield Way(Choice.RESIZE, How.CHANGE, freed, end, least=1, most=held - 1)


def _resized(held: int | None, way: Way) -> Iterable[Way]:
    """The same way for every size but the one that is held."""
    if held is None:
        yield way
        return
    if held > 1:
        yield _bounded(way, 1, held - 1 if way.most is None else min(held - 1, way.most))
    if way.most is None or held < way.most:
        yield _bounded(way, held + 1, way.most)


def _bounded(way: Way, least: int | None, most: int | None) -> Way:
    return Way(way.choice, way.how, way.opens_at, way.closes_at, way.sure_until, least or way.least, most or way.most)


def _why(ending: Ending, now: datetime, end: datetime) -> str:
    said = moves_of(ending.part, now).why
    if ending.part.kind is not Kind.BLOCK or ending.part.state not in (State.ACTIVE, State.SCHEDULED):
        return said
    if ending.extension_pending:
        return f"{said} An extension waits for its payment: until then no other can be bought."
    if now < end - EXTENSION_OPENS:
        return f"{said} It can be extended from {notation.instant(end - EXTENSION_OPENS)} on."
    if now >= end - EXTENSION_CLOSES:
        return f"{said} It could be extended until {notation.instant(end - EXTENSION_CLOSES)}."
    if now >= end - EXTENSION_SURE:
        closes = notation.instant(end - EXTENSION_CLOSES)
        return f"{said} It can be extended until {closes}, and a payment that takes its twelve hours comes too late."
    return f"{said} It can be extended until {notation.instant(end - EXTENSION_SURE)} to be paid in time."


def _sizes(possible: Possible, choice: Choice) -> str:
    bounds = sorted(
        {(way.least or 1, way.most) for way in possible.ways if way.choice is choice}, key=lambda one: one[0]
    )
    return f"to {CHOICE_WORDS[choice]} is to hold {' or '.join(_range(least, most) for least, most in _joined(bounds))}"


def _joined(bounds: Sequence[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    return list(dict.fromkeys(bounds))


def _range(least: int, most: int | None) -> str:
    if most is None:
        return f"{notation.grouped(least)} or more"
    return notation.grouped(least) if least == most else f"{notation.grouped(least)} to {notation.grouped(most)}"


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
