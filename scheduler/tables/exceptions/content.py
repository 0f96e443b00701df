"""What a request says, as its approver reads it, and what differs between two versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reservations.domain import notation
from reservations.domain.procurement.content import FIELD_WORDS, RequestContent, edit
from reservations.domain.procurement.exception_type import TYPES
from reservations.selectors.exception_told import VersionTold
from scheduler.tables.exceptions.lines import nodes_words, term_words


@dataclass(frozen=True, slots=True)
class Said:
    """One part of a request: a label, and what it says; ``long`` stands in a paragraph of its own."""

    label: str
    text: str
    long: bool = False


@dataclass(frozen=True, slots=True)
class Changed:
    """What a version changed: material changes void approvals, minor ones are told to who approved."""

    material: str
    minor: str


def facts(content: RequestContent) -> list[Said]:
    """The short parts: what, how much, how long, for how much."""
    share = content.expected_busy_share
    found = [
        Said("Departs from the rule", TYPES[content.kind].label),
        Said("Pool", content.pool),
        Said("Reservation", content.reservation or "a new one"),
        Said("Size", f"{nodes_words(content.nodes)} of {content.shape}"),
        Said("Term", f"{term_words(content.term_start, content.term_end)}, {notation.grouped(content.days)} days"),
        Said("Amount of the term", notation.amount(content.amount, content.currency)),
        Said("Expected busy ÷ reserved", notation.percent(share) if share is not None else ""),
        Said("To be reviewed", notation.day(content.review_on) if content.review_on else "90 days after the purchase"),
        Said("Useful until", notation.day(content.latest_useful_on) if content.latest_useful_on else ""),
        Said("Bears the risk", content.risk_owner),
        Said("Confidential", "yes" if content.confidential else ""),
    ]
    return [one for one in found if one.text]


def texts(content: RequestContent) -> list[Said]:
    """The long parts, the type's own answers after the reason."""
    questions = {one.key: one.label for one in TYPES[content.kind].questions}
    found = [
        Said("Why it is needed", content.reason, True),
        *(Said(questions.get(key, key), text, True) for key, text in content.answers.items()),
        Said("What happens if it is refused", content.consequence, True),
        Said("What else was looked at", content.alternatives, True),
        Said("By what it will be judged", content.metric, True),
        Said("What keeps the risk small", content.controls, True),
    ]
    return [one for one in found if one.text]


def changes(versions: Sequence[VersionTold]) -> Mapping[int, Changed]:
    """What each submitted version changed against the one before it, by its number."""
    submitted = [(one.number, one.content) for one in versions if one.content is not None]
    found: dict[int, Changed] = {}
    for (number, after), (_, before) in pairwise(submitted):
        said = edit(before, after)
        found[number] = Changed(_named(said.material), _named(said.minor))
    return found


def _named(names: Sequence[str]) -> str:
    return ", ".join(FIELD_WORDS[name] for name in names)
