"""From sizes to one proposal: which of them decides, within what may be changed (docs/recommendations.md)."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from reservations.domain import notation
from scheduler.domain.recommendation.moves import Bounds
from scheduler.domain.sizing.reality import FixedNodes


class Action(StrEnum):
    """What is recommended about a pool."""

    KEEP = "keep"
    GROW = "grow"
    SHRINK = "shrink"
    LAPSE = "lapse"
    NONE = "none"


class Decides(StrEnum):
    """What made the proposed size what it is."""

    RULE = "rule"
    PACKED = "packed"
    SPARE = "spare"
    BLOCK_SIZE = "block_size"
    PROVIDER = "provider"
    IDLE_HELD = "idle_held"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class SizesFound:
    """What demand, prices and replay come to; ``adjusted`` None without q and L, ``packed`` None without a replay.

    ``why_not_packed`` says in one sentence why there is none. ``idle_held`` are nodes that pods hold without working,
    on average; None where nobody knows.
    """

    current: int
    rule: int
    adjusted: int | None
    packed: int | None
    fixed: FixedNodes
    bounds: Bounds
    idle_held: Decimal | None = None
    why_not_packed: str = ""

    @property
    def justified(self) -> int:
        """The rule's size: adjusted, or naive without q and L."""
        return self.rule if self.adjusted is None else self.adjusted

    @property
    def wanted(self) -> int:
        """The smaller of the rule's size and the packed size."""
        return self.justified if self.packed is None else min(self.justified, self.packed)


@dataclass(frozen=True, slots=True)
class Decided:
    """The proposal with two plain sentences; ``proposed`` None with the action none."""

    action: Action
    proposed: int | None
    decides: Decides
    reasons: tuple[str, ...]


def undecided(why: str) -> Decided:
    """Nothing is recommended, for a reason."""
    return Decided(Action.NONE, None, Decides.DATA, (_sentence(why), "Nothing is recommended until that is mended."))


def decide(found: SizesFound) -> Decided:
    """The smaller size, spare nodes and blocks added, never below what can't be given back, never grown past idle."""
    wanted = found.wanted
    proposed, decides = wanted, Decides.RULE if wanted == found.justified else Decides.PACKED
    held = found.fixed.to_hold(wanted)
    if held != wanted:
        extra = wanted + found.fixed.spare + found.fixed.headroom
        proposed, decides = held, Decides.SPARE if held == extra else Decides.BLOCK_SIZE
    if proposed < found.bounds.floor:
        proposed, decides = found.bounds.floor, Decides.PROVIDER
    if proposed > found.current and found.idle_held is not None and found.idle_held > proposed - found.current:
        return Decided(Action.KEEP, found.current, Decides.IDLE_HELD, _idle_reasons(found, proposed))
    return Decided(_action(found.current, proposed), proposed, decides, (_sizes(found), _why(found, decides)))


def _action(current: int, proposed: int) -> Action:
    if proposed == current:
        return Action.KEEP
    if proposed > current:
        return Action.GROW
    return Action.SHRINK if proposed else Action.LAPSE


def _sizes(found: SizesFound) -> str:
    needed = f"{_needed(found.justified)} in more of the hours than the break-even asks for"
    if found.adjusted is None:
        return f"{needed}, by price alone: how often a launch fails is not recorded."
    return f"{needed}, with launches that fail reckoned in."


def _why(found: SizesFound, decides: Decides) -> str:
    if decides is Decides.PROVIDER:
        return f"Not below {_nodes(found.bounds.floor)}: {found.bounds.why}"
    if decides in (Decides.SPARE, Decides.BLOCK_SIZE):
        return found.fixed.why(found.wanted)
    if decides is Decides.PACKED:
        return f"Better placement would have delivered the same work on {_nodes(found.wanted)}."
    if found.packed is None:
        return found.why_not_packed or "No replay covers nine tenths of the hours, so the rule decides alone."
    return f"Better placement would not have done with less: the same work takes {_nodes(found.packed)}."


def _idle_reasons(found: SizesFound, proposed: int) -> tuple[str, ...]:
    held = notation.grouped(found.idle_held or Decimal(0), 1)
    more = proposed - found.current
    return (
        _sizes(found),
        f"Fix idle allocations first: pods hold {held} nodes on average without working,"
        f" more than the {_nodes(more)} that growth would add.",
    )


def _needed(nodes: int) -> str:
    if nodes == 0:
        return "No node is needed"
    return "1 node is needed" if nodes == 1 else f"{notation.grouped(nodes)} nodes are each needed"


def _nodes(count: int) -> str:
    return f"{notation.grouped(count)} node{'' if count == 1 else 's'}"


def _sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."
