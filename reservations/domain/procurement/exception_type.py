"""The kinds of exception, and what each asks beyond what every request says."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ExceptionType(StrEnum):
    """In what a request departs from the procurement rule."""

    OVER_RULE = "over_rule"
    UNDER_RULE = "under_rule"
    BELOW_BREAK_EVEN = "below_break_even"
    SHORT_HISTORY = "short_history"
    LATE = "late"
    OTHER_SHAPE = "other_shape"
    LONG_TERM = "long_term"
    UPFRONT = "upfront"
    OVER_BUDGET = "over_budget"
    EMERGENCY = "emergency"
    BLOCK_EXTENSION = "block_extension"
    IDLE_HOLD = "idle_hold"
    EARLY_RELEASE = "early_release"
    BORROW_OVERRIDE = "borrow_override"
    CHECKPOINT_OVERRIDE = "checkpoint_override"


@dataclass(frozen=True, slots=True)
class Question:
    """One more question of a type; its answer is a text, kept under ``key``."""

    key: str
    label: str
    needed: bool = True


@dataclass(frozen=True, slots=True)
class TypeWords:
    """What a type is called, when it is the one to choose, and what it asks."""

    label: str
    meaning: str
    questions: tuple[Question, ...] = ()


TYPES: Mapping[ExceptionType, TypeWords] = {
    ExceptionType.OVER_RULE: TypeWords(
        "More than the rule",
        "More nodes than the rule's size.",
        (Question("demand_ahead", "Which demand that the past does not show fills the nodes above the rule?"),),
    ),
    ExceptionType.UNDER_RULE: TypeWords(
        "Fewer than the rule",
        "Fewer nodes than the rule's size, with the shortage that may bring.",
        (Question("availability", "What happens when a launch beyond the reservation fails?"),),
    ),
    ExceptionType.BELOW_BREAK_EVEN: TypeWords(
        "Renewal below break-even",
        "Keeping capacity that was used less than its break-even.",
        (Question("what_changes", "What changes, so that it is used above break-even from now on?"),),
    ),
    ExceptionType.SHORT_HISTORY: TypeWords(
        "Too little history",
        "A new workload, of which there is too little data for the rule.",
        (Question("basis", "What is the size based on instead of history?"),),
    ),
    ExceptionType.LATE: TypeWords(
        "After the decision date",
        "Asked for when the lead time of the rule no longer fits.",
        (Question("why_late", "Why was it not asked for in time?"),),
    ),
    ExceptionType.OTHER_SHAPE: TypeWords(
        "Other type, region or vendor",
        "Another instance type, region or vendor than the pool's.",
        (Question("why_other", "Why does the pool's own not do?"),),
    ),
    ExceptionType.LONG_TERM: TypeWords(
        "Longer term",
        "A term longer than the rule foresees.",
        (Question("way_out", "How can it be ended early, and at what cost?"),),
    ),
    ExceptionType.UPFRONT: TypeWords(
        "Paid up front",
        "A payment before the capacity is used.",
        (Question("refund", "What is paid when, and what is paid back if it is not delivered?"),),
    ),
    ExceptionType.OVER_BUDGET: TypeWords(
        "Beyond the budget",
        "More than what is left of the team's budget.",
        (Question("budget", "Which budget pays the rest, and who agreed?"),),
    ),
    ExceptionType.EMERGENCY: TypeWords(
        "Emergency",
        "Capacity was lost, and waiting costs more than deciding quickly.",
        (Question("incident", "What was lost, since when, and what stands still?"),),
    ),
    ExceptionType.BLOCK_EXTENSION: TypeWords(
        "Extension of a block",
        "A capacity block that is to last longer.",
        (Question("left_over", "Which work is left at its end, and how long does it take?"),),
    ),
    ExceptionType.IDLE_HOLD: TypeWords(
        "Keep idle capacity",
        "Capacity that is kept though little runs on it, because it may not be had again.",
        (Question("hold_until", "Until when is it held, and what would end that?"),),
    ),
    ExceptionType.EARLY_RELEASE: TypeWords(
        "Release early",
        "Giving capacity back before its end.",
        (Question("moved_to", "Where does what runs there go?"),),
    ),
    ExceptionType.BORROW_OVERRIDE: TypeWords(
        "Borrow beyond the cap",
        "Borrowing more of another team's nominal quota than its lending limit.",
        (Question("lender", "Who lends, and did they agree?"),),
    ),
    ExceptionType.CHECKPOINT_OVERRIDE: TypeWords(
        "Later checkpoint",
        "A checkpoint deadline later than the block's clock sets.",
        (Question("at_risk", "How many GPU-hours are lost if the checkpoint is not done in time?"),),
    ),
}
