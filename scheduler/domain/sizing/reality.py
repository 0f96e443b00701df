"""What keeps a size from being the rule's: nodes kept spare and warm, and the sizes that can be bought."""

from collections.abc import Collection
from dataclasses import dataclass

from reservations.domain.reservation_state import Kind
from scheduler.domain.sizing.prices import UnableToSize

MOST_NODES = 100_000
MOST_IN_BLOCK, MOST_IN_BLOCKS = 64, 256
"""AWS sells a capacity block of 1 to 64 instances, and on one day 256 in all blocks together (older pages of its manual
name 1, 2, 4, 8, 16, 32 and 64 alone)."""


@dataclass(frozen=True, slots=True)
class FixedNodes:
    """``spare`` for hardware that fails, ``headroom`` kept warm, and the least and most that one block may have.

    UnableToSize for anything negative or beyond reason, and for a least block above the most.
    """

    spare: int = 0
    headroom: int = 0
    minimum_block: int | None = None
    maximum_block: int | None = None

    def __post_init__(self) -> None:
        for name in ("spare", "headroom", "minimum_block", "maximum_block"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= MOST_NODES:
                words = name.replace("_", " ")
                raise UnableToSize(f"the {words} is {value} nodes: give a whole number from 0 to {MOST_NODES}")
        if None not in (self.minimum_block, self.maximum_block) and self.minimum > self.maximum:
            raise UnableToSize(f"the minimum block of {self.minimum} nodes is above the maximum of {self.maximum}")

    @property
    def minimum(self) -> int:
        """The fewest nodes that can be bought at all."""
        return self.minimum_block or 0

    @property
    def maximum(self) -> int:
        """The most."""
        return MOST_NODES if self.maximum_block is None else self.maximum_block

    def to_hold(self, nodes: int) -> int:
        """The nodes to hold where the rule says ``nodes``: spare and headroom added, then within the blocks.

        Where the rule says none, nothing is held: a spare node of nothing and an empty block are money for nothing.
        """
        if nodes == 0:
            return 0
        return min(max(nodes + self.spare + self.headroom, self.minimum), self.maximum)

    def why(self, nodes: int) -> str:
        """Why that differs from the rule's size, in one sentence; blank where it does not."""
        held = self.to_hold(nodes)
        if nodes == 0:
            return ""
        added = [f"{self.spare} spare" if self.spare else "", f"{self.headroom} kept warm" if self.headroom else ""]
        parts = [" and ".join(part for part in added if part)]
        wanted = nodes + self.spare + self.headroom
        if held > wanted:
            parts.append(f"a block has at least {self.minimum}")
        elif held < wanted:
            parts.append(f"a block has at most {self.maximum}")
        said = "; ".join(part for part in parts if part)
        return f"{held} nodes instead of {nodes}: {said}." if said else ""


def block_bounds(kinds: Collection[Kind], nodes: int) -> tuple[int, int] | None:
    """The fewest and the most nodes that can be bought for a pool that capacity blocks alone back; None for any other.

    One block is the most where no more than that is held.
    """
    if not kinds or set(kinds) != {Kind.BLOCK}:
        return None
    return 1, MOST_IN_BLOCK if nodes <= MOST_IN_BLOCK else MOST_IN_BLOCKS
