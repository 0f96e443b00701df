"""What becomes of a planned message when its time has come: it goes out, or something made it needless meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler.domain.alert.delivery import DeliveryState, Mode
from scheduler.domain.alert.episode import Step

RESOLVED = "It was resolved before this went out."
NEVER_TOLD = "It was over before its beginning had been told."
OVERTAKEN = "A later message says it."


@dataclass(frozen=True, slots=True)
class Planned:
    """One message of an episode to a recipient; ``id`` rises with the order they were planned in."""

    id: int
    step: str
    mode: Mode
    state: DeliveryState


def why_needless(one: Planned, others: Sequence[Planned], *, is_resolved: bool) -> str:
    """Why a message needs not go out, in one sentence; blank where it does. ``others`` go to the same recipient."""
    if one.step == Step.RESOLVED:
        return "" if any(other.state is DeliveryState.SENT for other in others) else NEVER_TOLD
    if is_resolved:
        return RESOLVED
    return OVERTAKEN if any(_overtakes(other, one) for other in others) else ""


def may_be_on_its_way(one: Planned, others: Sequence[Planned]) -> bool:
    """Whether the end must wait: nothing was told yet, and what is due may be in another worker's hands."""
    told = any(other.state is DeliveryState.SENT for other in others)
    return one.step == Step.RESOLVED and not told and any(other.state is DeliveryState.DUE for other in others)


def _overtakes(other: Planned, one: Planned) -> bool:
    if other.id <= one.id:
        return False
    soon = other.state is DeliveryState.DUE and (other.mode is Mode.AT_ONCE or one.mode is Mode.DIGEST)
    return other.state is DeliveryState.SENT or soon
