"""The demo's renewals: one in each state, made by the same services as anybody's."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from reservations.domain.access import Grant, Person, Role
from reservations.domain.manual_entry import Entry
from reservations.domain.period import floor_hour
from reservations.domain.reservation_state import Kind
from reservations.selectors.reservations import UnableToFindReservation, reservation_named
from reservations.services.manual_reservations import change_reservation, enter_reservation
from scheduler.domain.renewal.standing import AtEnd, Choice, RenewalState, ResumeTest
from scheduler.selectors.renewals import RenewalRow, renewals_due
from scheduler.services.calendar import refresh_calendar
from scheduler.services.renewals import decide_renewal, plan_end, propose_renewals
from scheduler.services.renewals.stepping import Mover

CONTRACT = "demo-rack-7"
LOADER = Person("load_demo", (Grant(Role.ADMIN),), second_factor=True)
DAY = timedelta(days=1)
APPROVER, OWNER = Mover(None, "approver"), Mover(None, "owner-research")


def load_renewals(*, as_of: datetime) -> None:
    """Propose what there is and, the first time, decide some of it; the calendar tells it at once."""
    propose_renewals(as_of=as_of)
    due = renewals_due(as_of=as_of)
    if _begin_contract(as_of):
        _decide_blocks(due, as_of)
        _decide_training(due, as_of)
    refresh_calendar(as_of=as_of)


def _begin_contract(as_of: datetime) -> bool:
    """A rack whose contract was first prolonged by ten days, then as decided; False where it stands already."""
    if _stands(as_of):
        return False
    first = _contract(as_of)
    number = enter_reservation(entry=first, as_of=as_of, reason="load_demo")
    propose_renewals(as_of=as_of)
    later = first.start_at + 370 * DAY
    second = replace(first, end_at=later, usable_until=later)
    change_reservation(pk=number, entry=second, as_of=as_of, reason="load_demo")
    propose_renewals(as_of=as_of)
    until = later + 365 * DAY
    (mine,) = (row for row in renewals_due(as_of=as_of) if row.reservation.id == number)
    decide_renewal(pk=mine.id, choice=Choice.RENEW, until_at=until, reason="demo: another year", by=APPROVER, at=as_of)
    change_reservation(
        pk=number, entry=replace(second, end_at=until, usable_until=until), as_of=as_of, reason="load_demo"
    )
    propose_renewals(as_of=as_of)
    return True


def _stands(as_of: datetime) -> bool:
    try:
        reservation_named(name=CONTRACT, person=LOADER, as_of=as_of)
    except UnableToFindReservation:
        return False
    return True


def _contract(as_of: datetime) -> Entry:
    start, end = floor_hour(as_of) - 340 * DAY, floor_hour(as_of) + 20 * DAY
    return Entry(
        provider="demo",
        external_id=CONTRACT,
        shape="rack of 8 × A100",
        gpus_per_instance=Decimal(8),
        zone_id="colo-1",
        start_at=start,
        end_at=end,
        usable_until=end,
        upfront_fee=None,
        currency="",
        owner="platform",
        pool=None,
        sizes=((start, 2),),
    )


def _decide_blocks(due: list[RenewalRow], as_of: datetime) -> None:
    """The block that ends this week goes on in the next one, which starts days later: a gap that the page tells."""
    blocks = [row for row in due if row.reservation.kind is Kind.BLOCK and row.state is RenewalState.PROPOSED]
    for row in blocks[:1]:
        until = row.end_at + 35 * DAY
        said = "demo: the sprint goes on"
        decide_renewal(pk=row.id, choice=Choice.RENEW, until_at=until, reason=said, by=OWNER, at=as_of)
        plan_end(pk=row.id, at_end=AtEnd.PAUSE, note="demo: nobody tried", by=OWNER, at=as_of, today=as_of.date())


def _decide_training(due: list[RenewalRow], as_of: datetime) -> None:
    """The pretraining run needs more nodes, and falls back to smaller ones until they are there."""
    for row in due:
        if row.reservation.pool == "training-h200" and row.reservation.nodes:
            nodes, until = row.reservation.nodes + 2, row.end_at + 180 * DAY
            said = "demo: the next pretraining run"
            decide_renewal(
                pk=row.id, choice=Choice.RESIZE, nodes=nodes, until_at=until, reason=said, by=APPROVER, at=as_of
            )
            plan_end(
                pk=row.id,
                at_end=AtEnd.FALL_BACK,
                fallback="4 × p5.48xlarge on demand",
                resume_tested_on=(as_of - 12 * DAY).date(),
                resume_test=ResumeTest.PASSED,
                by=OWNER,
                at=as_of,
                today=as_of.date(),
            )
