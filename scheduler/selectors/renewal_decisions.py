"""Whether it is decided what follows the end of a reservation: what alerts and the calendar ask."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from scheduler.domain.block_clock.agreement import PlannedEnd
from scheduler.domain.renewal.standing import STANDS, AtEnd, Choice, RenewalState, ResumeTest
from scheduler.models import EndPlan, Renewal

ReservationEnd = tuple[int, datetime]
"""The id of a reservation and one of its ends."""


@dataclass(frozen=True, slots=True)
class RenewalDecided:
    """What stands for one end; ``until_at`` None beside nodes: it is to have no end. ``at_end`` None: not planned."""

    renewal_id: int
    state: RenewalState
    choice: Choice
    nodes: int | None
    until_at: datetime | None
    stands_since: datetime
    at_end: AtEnd | None = None
    fallback: str = ""
    resume_tested_on: date | None = None
    resume_test: ResumeTest | None = None


def decisions_for(ends: Collection[ReservationEnd]) -> Mapping[ReservationEnd, RenewalDecided]:
    """What was decided for each of these ends, in two queries; an end without a standing decision is left out."""
    wanted = set(ends)
    found = Renewal.objects.filter(
        reservation_id__in={reservation_id for reservation_id, _ in wanted},
        end_at__in={end_at for _, end_at in wanted},
        state__in=[state.value for state in STANDS],
    )
    standing = [one for one in found if (one.reservation_id, one.end_at) in wanted]
    plans = latest_plans([one.pk for one in standing])
    return {(one.reservation_id, one.end_at): _decided(one, plans.get(one.pk)) for one in standing}


def planned_ends(ends: Collection[ReservationEnd]) -> Mapping[ReservationEnd, PlannedEnd]:
    """What was chosen and planned for each of these ends, whether or not it is decided already; in two queries."""
    wanted = set(ends)
    found = Renewal.objects.filter(
        reservation_id__in={reservation_id for reservation_id, _ in wanted},
        end_at__in={end_at for _, end_at in wanted},
    ).exclude(state=RenewalState.SUPERSEDED.value)
    mine = [one for one in found if (one.reservation_id, one.end_at) in wanted]
    plans = latest_plans([one.pk for one in mine])
    return {(one.reservation_id, one.end_at): _planned(one, plans.get(one.pk)) for one in mine}


def _planned(one: Renewal, plan: EndPlan | None) -> PlannedEnd:
    choice = Choice(one.choice) if one.choice and RenewalState(one.state) in STANDS else None
    return PlannedEnd(choice, AtEnd(plan.at_end) if plan else None)


def latest_plans(renewal_ids: Collection[int]) -> Mapping[int, EndPlan]:
    """The newest end plan of each of these renewals, in one query."""
    found = EndPlan.objects.filter(renewal_id__in=renewal_ids).order_by("renewal_id", "-number").distinct("renewal_id")
    return {plan.renewal_id: plan for plan in found}


def _decided(one: Renewal, plan: EndPlan | None) -> RenewalDecided:
    return RenewalDecided(
        renewal_id=one.pk,
        state=RenewalState(one.state),
        choice=Choice(one.choice),
        nodes=one.nodes,
        until_at=one.until_at,
        stands_since=one.moved_at,
        at_end=AtEnd(plan.at_end) if plan else None,
        fallback=plan.fallback if plan else "",
        resume_tested_on=plan.resume_tested_on if plan else None,
        resume_test=ResumeTest(plan.resume_test) if plan and plan.resume_test else None,
    )
