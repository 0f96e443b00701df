"""Whether what a job is to do at its block's end goes together with what was planned for that end."""

from collections.abc import Mapping
from dataclasses import dataclass

from scheduler.domain.block_clock.states import Decision
from scheduler.domain.renewal.standing import AT_END_WORDS, AtEnd, Choice

JOB_WORDS: Mapping[Decision, str] = {
    Decision.RENEW: "go on on what follows the block",
    Decision.FALL_BACK: "fall back to other capacity",
    Decision.PAUSE: "pause from its checkpoint",
}


@dataclass(frozen=True, slots=True)
class PlannedEnd:
    """What stands for an end; None where nothing does."""

    choice: Choice | None = None
    at_end: AtEnd | None = None


NOTHING_PLANNED = PlannedEnd()


def why_at_odds(decision: Decision, planned: PlannedEnd) -> str:
    """Why both can't come to be, in one sentence; blank where they can, or nothing is planned."""
    asked = f"It is registered to {JOB_WORDS[decision]}"
    if decision is Decision.RENEW and planned.choice is Choice.LAPSE:
        return f"{asked}, but the block is to lapse."
    if planned.at_end is not None and planned.at_end.value != decision.value:
        return f"{asked}, but by the plan for the end the work {AT_END_WORDS[planned.at_end]}."
    return ""
