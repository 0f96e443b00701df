"""What alerts are asked with and answer, as the description of the API says it."""

from datetime import datetime
from typing import Literal

from ninja import Schema
from pydantic import Field

from reservations.api.shapes import NAME, Number, PageAsked, PageTold
from scheduler.services.alerts.moves import LONGEST_NOTE

State = Literal["open", "acknowledged", "snoozed", "resolved", "any", ""]


class AlertsAsked(PageAsked):
    """Which alerts; what is left out leaves nothing out, but for the state: then what is open or acknowledged."""

    state: State = ""
    severity: Literal["notice", "warning", "critical", ""] = ""
    rule: str = Field("", max_length=40, pattern="^[a-z_]*$", examples=["reserved_unused"])
    owner: str = Field("", max_length=80, pattern=NAME)
    pool: str = Field("", max_length=80, pattern=NAME)
    reservation: int | None = Field(None, ge=1, lt=2**63)
    q: str = Field("", max_length=200, pattern=NAME, description="looked for in subject, summary and cause")


class AlertTold(Schema):
    id: int
    rule: str = Field(examples=["reserved_unused"])
    object: str = Field(description="what it is about, with the occasion", examples=["reservation:17"])
    subject: str
    pool: str | None
    owner: str | None
    severity: str
    state: str
    since: datetime
    opened_at: datetime
    found_at: datetime
    summary: str
    cause: str
    gpu_hours_a_week: Number | None
    money_a_week: Number | None = Field(description="null without a price, and for a role that does not include prices")
    currency: str | None
    assigned_to: str | None
    acknowledged_by: str | None
    snoozed_until: datetime | None
    resolved_at: datetime | None
    resolved_by: str | None


class AlertPage(PageTold):
    rows: list[AlertTold]


class MoveAsked(Schema):
    """Why, for who reads it later."""

    note: str = Field("", max_length=LONGEST_NOTE)


class SnoozeAsked(MoveAsked):
    until: datetime = Field(description="with its offset; fourteen days ahead at most")
