"""``/renewals``: what follows each end, as the page and the command ``renewals`` say it."""

from datetime import date, datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from reservations.api.callers import opens
from reservations.api.problems import PROBLEMS
from reservations.api.shapes import NAME, Number, PageAsked, PageTold, page_of
from reservations.domain.access import Action, reach
from reservations.domain.glossary import GLOSSARY
from reservations.domain.tokens import Scope
from reservations.selectors.organisation import accounting_zone
from scheduler.domain.renewal.standing import RenewalState
from scheduler.selectors.renewals import renewal_rows, sees_money
from scheduler.tables.renewals.told import renewal_told

router = Router(tags=["renewals"])


class RenewalsAsked(PageAsked):
    """Which renewals; each filter that is given must hold."""

    owner: str = Field("", max_length=200, pattern=NAME, description="a team")
    state: Literal["", *(state.value for state in RenewalState)] = ""  # type: ignore[valid-type]


class RenewalTold(Schema):
    """What follows one end of one reservation; null is unknown or not decided, never zero."""

    id: int
    reservation: str = Field(description="the provider's id", examples=["cr-0aaa"])
    pool: str | None
    owner: str | None
    end: datetime = Field(description="the end it is about")
    decision_date: date | None = Field(description=GLOSSARY["decision_date"])
    lead: str = Field(examples=["2 weeks procurement + 3 weeks provider"])
    state: str = Field(description="proposed, decided, executed or superseded")
    overdue: bool = Field(description="undecided after the day of the decision, or after the end")
    held_nodes: int | None
    choice: str | None = Field(description="renew, resize or lapse; null while nothing is decided")
    nodes: int | None = Field(description="decided to be held from the old end on")
    until: datetime | None = Field(description="the end decided on; null beside nodes: it is to have none")
    possible: list[str] = Field(description="what can still be decided on")
    why: str = Field(description="what the provider allows, one sentence")
    inventory: str | None = Field(description="what is seen of a decision that is not executed")
    term_cost: Number | None = Field(description="null too where your roles do not include prices")
    currency: str | None
    at_end: str | None = Field(description="what becomes of the work: renew, fall_back or pause")
    fallback: str | None
    resume_tested_on: date | None
    resume_test: str | None = Field(description="passed or failed")


class RenewalPage(PageTold):
    rows: list[RenewalTold]


@router.get(
    "/renewals",
    response={200: RenewalPage, **PROBLEMS},
    auth=opens(Scope.READ_RESERVATIONS),
    summary="What follows each end",
)
def renewals(request: HttpRequest, asked: Query[RenewalsAsked]) -> dict[str, Any]:
    """The next end first, of reservations that the caller may see. Needs the scope `read:reservations`."""
    person, now, zone = request.auth.person, timezone.now(), accounting_zone()
    rows = [
        row
        for row in renewal_rows(as_of=now, zone=zone, seen_by=reach(person, Action.SEE_RESERVATION))
        if asked.owner in ("", row.reservation.owner) and asked.state in ("", row.state.value)
    ]
    today, shown = now.astimezone(zone).date(), rows[asked.offset : asked.offset + asked.limit]
    told = [renewal_told(row, today=today, prices=sees_money(person, row)) for row in shown]
    return page_of(told, len(rows), asked)
