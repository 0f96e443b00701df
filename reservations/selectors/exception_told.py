"""The parts of one request as a page or a call shows them: plain rows, never models."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from reservations.domain.procurement.authority import RequiredStep
from reservations.domain.procurement.content import RequestContent
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.domain.procurement.rule import Rule
from reservations.selectors.approvers import Holder
from reservations.selectors.exceptions import ExceptionRow


@dataclass(frozen=True, slots=True)
class FileTold:
    """A file of a version, without its bytes."""

    id: int
    name: str
    media_type: str
    size: int
    sha256: str
    added_by: str
    added_at: datetime


@dataclass(frozen=True, slots=True)
class ApprovalTold:
    """Who approved a step, in whose name and with which authority; ``carried``: of an earlier version."""

    id: int
    step: str
    person: str
    acting_for: str
    role: str
    authority: str
    role_is_recent: bool
    note: str
    approved_at: datetime
    content_hash: str
    carried: bool


@dataclass(frozen=True, slots=True)
class StepTold:
    """A required step: who gave it, whether it is its turn, and who could give it by role."""

    step: RequiredStep
    given: tuple[ApprovalTold, ...]
    is_open: bool
    holders: tuple[Holder, ...]


@dataclass(frozen=True, slots=True)
class VersionTold:
    """One version; ``content`` None while it is a draft, whose fields are in ``typed``."""

    number: int
    author: str
    saved_at: datetime
    saves: int
    typed: Mapping[str, str]
    content: RequestContent | None
    content_hash: str
    evidence: Mapping[str, object]
    evidence_hash: str
    submitted_at: datetime | None
    files: tuple[FileTold, ...]
    approvals: tuple[ApprovalTold, ...]
    rule_version: int | None


@dataclass(frozen=True, slots=True)
class MoveTold:
    """One move on the trail."""

    number: int
    version: int
    move: RequestMove
    state: RequestState
    told: str
    reason: str
    by: str
    acting_for: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ConditionTold:
    """A condition and whether it was met."""

    id: int
    text: str
    due_on: date
    set_by: str
    met_at: datetime | None
    met_by: str
    met_note: str

    def is_overdue(self, today: date) -> bool:
        """Whether its day has passed unmet."""
        return self.met_at is None and today > self.due_on


@dataclass(frozen=True, slots=True)
class GlassTold:
    """An emergency: who approved alone and why, and the second sign-off; ``verdict`` blank: it is awaited."""

    reason: str
    opened_by: str
    opened_at: datetime
    sign_off_due_at: datetime
    signed_by: str
    signed_at: datetime | None
    verdict: str
    note: str


@dataclass(frozen=True, slots=True)
class ExceptionCase:
    """Everything about one request, versions newest first."""

    row: ExceptionRow
    versions: tuple[VersionTold, ...]
    steps: tuple[StepTold, ...]
    trail: tuple[MoveTold, ...]
    conditions: tuple[ConditionTold, ...]
    glass: GlassTold | None
    rule: Rule | None

    @property
    def newest(self) -> VersionTold:
        """The version that is written or decided now."""
        return self.versions[0]
