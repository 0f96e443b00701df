"""What requests for exceptions are asked with and answer, as the description of the API says it."""

from datetime import date, datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from reservations.api.shapes import NAME, Number, PageAsked, PageTold
from reservations.domain.procurement.request_state import LONGEST_REASON

State = Literal["draft", "submitted", "returned", "withdrawn", "approved", "rejected", "lapsed", "executed", "any", ""]


class ExceptionsAsked(PageAsked):
    """Which requests; what is left out leaves nothing out."""

    state: State = ""
    pool: str = Field("", max_length=80, pattern=NAME)


class ExceptionTold(Schema):
    id: int
    version: int
    state: str
    pool: str
    team: str
    type: str | None
    requester: str
    nodes: int | None
    shape: str | None
    term_start: date | None
    term_end: date | None
    amount: Number | None = Field(description="of the whole term; null for a role that does not include prices")
    authority_amount: Number | None = Field(description="by which its steps were chosen")
    currency: str | None
    waiting_for: list[str] = Field(description="the roles whose turn it is")
    rule_version: int | None
    content_hash: str | None = Field(description="SHA-256 of what is approved; an approval names it")
    created_at: datetime
    submitted_at: datetime | None
    decide_by: date | None
    approved_at: datetime | None
    valid_until: datetime | None
    conditions_open: int
    second_sign_off_due_at: datetime | None


class ExceptionPage(PageTold):
    rows: list[ExceptionTold]


class ExceptionWhole(ExceptionTold):
    saves: int = Field(description="the number of the last save, which the next save and the submission name")
    typed: dict[str, Any] = Field(description="the fields of the form, as texts")
    evidence: dict[str, Any]
    evidence_hash: str | None
    files: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    conditions: list[dict[str, Any]]
    trail: list[dict[str, Any]]


class DraftAsked(Schema):
    """A new draft of a pool, begun with the recommendation's numbers; ``fields`` are laid over them."""

    pool: str = Field(max_length=80, pattern=NAME)
    nodes: int | None = Field(None, ge=0, le=100_000)
    fields: dict[str, str] = Field(default_factory=dict)
    key: str | None = Field(None, max_length=36, description="a UUID: the same one again makes nothing new")


class KeyAsked(Schema):
    """One key a form: the same one again does nothing again."""

    key: str | None = Field(None, max_length=36, description="a UUID: the same one again does nothing again")


class DecisionAsked(KeyAsked):
    content_hash: str = Field(pattern="^[0-9a-f]{64}$", description="of what was read")
    acting_for: str = Field("", max_length=150, pattern=NAME, description="whose delegated authority is used")


class ApprovalAsked(DecisionAsked):
    note: str = Field("", max_length=LONGEST_REASON)


class RefusalAsked(DecisionAsked):
    reason: str = Field(min_length=1, max_length=LONGEST_REASON)


class RuleTold(Schema):
    version: int
    status: str
    in_force: bool
    owner: str
    author: str | None
    published_by: str | None
    effective_from: date | None
    effective_to: date | None
    document: dict[str, Any]
    sentences: list[str]
    unread: str | None


class RuleVersions(Schema):
    rows: list[RuleTold]
