"""Renewals as pages, calls and commands read them: plain rows, never models."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal

from reservations.domain.access import Action, Person, may
from reservations.domain.renewal import Decision, LeadTimes
from reservations.selectors.ends import ReservationEnd
from reservations.selectors.organisation import accounting_zone
from scheduler.domain.policy import DEFAULT_POLICY
from scheduler.domain.renewal.basis import NodePrice, term_cost
from scheduler.domain.renewal.continuity import Outcome
from scheduler.domain.renewal.possible import Possible, possible_at_end
from scheduler.domain.renewal.standing import AtEnd, Choice, RenewalMove, RenewalState, ResumeTest
from scheduler.models import EndPlan, Renewal, RenewalStep
from scheduler.selectors.renewal_case import RenewalFacts, ending_of, last_term, outcome_of, renewal_facts
from scheduler.selectors.renewal_decisions import latest_plans


@dataclass(frozen=True, slots=True)
class StepRow:
    """One move: who (blank: the inventory), when, what was decided and why, and its frozen evidence."""

    number: int
    move: RenewalMove
    choice: Choice | None
    nodes: int | None
    until_at: datetime | None
    reason: str
    by: str
    at: datetime
    evidence_hash: str
    evidence: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PlanRow:
    """What is to become of the work at the end, as somebody planned it."""

    at_end: AtEnd
    fallback: str
    resume_tested_on: date | None
    resume_test: ResumeTest | None
    note: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RenewalRow:
    """What follows one end of one reservation.

    ``term`` is how long what follows lasts: until the end decided on, else as long as the last; ``nodes`` those decided
    on, else those held; ``money`` is what they cost for it at today's reserved price, None unknown.
    """

    id: int
    reservation: ReservationEnd
    end_at: datetime
    state: RenewalState
    choice: Choice | None
    decided_nodes: int | None
    until_at: datetime | None
    followed_by: int | None
    proposed_at: datetime
    moved_at: datetime
    moves: int
    decision: Decision
    lead: LeadTimes | None
    possible: Possible
    outcome: Outcome | None
    price: NodePrice | None
    plan: PlanRow | None

    @property
    def nodes(self) -> int | None:
        """Nodes that are held from the end on; none where it lapses."""
        if self.choice is Choice.LAPSE:
            return 0
        return self.reservation.nodes if self.choice is None else self.decided_nodes

    @property
    def term(self) -> timedelta | None:
        """How long what follows lasts."""
        if self.until_at is not None:
            return self.until_at - self.end_at
        return last_term(self.reservation, self.end_at)

    @property
    def money(self) -> Decimal | None:
        """What it costs."""
        return term_cost(self.price, self.nodes, self.term)

    @property
    def decide_on(self) -> date | None:
        """By when it must be decided."""
        return self.decision.on

    def due(self, today: date) -> bool:
        """Whether the day of its decision has passed, or its end has, and nothing is decided."""
        return self.state is RenewalState.PROPOSED and (
            (self.decide_on is not None and self.decide_on < today) or self.reservation.gone
        )


def renewal_rows(*, as_of: datetime, zone: tzinfo, seen_by: frozenset[str] | None = None) -> list[RenewalRow]:
    """Every renewal of reservations that these teams see (None: of all), by end, in six queries."""
    return _rows(list(Renewal.objects.all()), as_of, zone, seen_by)


def renewal_row(*, pk: int, as_of: datetime, zone: tzinfo, seen_by: frozenset[str] | None = None) -> RenewalRow | None:
    """One of them; None where there is none that these teams see."""
    found = list(Renewal.objects.filter(pk=pk))
    rows = _rows(found, as_of, zone, seen_by) if found else []
    return rows[0] if rows else None


def renewals_due(*, as_of: datetime, zone: tzinfo | None = None) -> list[RenewalRow]:
    """Whatever has an end ahead and no decision, whose decision or end lies within the policy's horizon; by end."""
    horizon, zone = as_of + DEFAULT_POLICY.ends_within, zone or accounting_zone()
    found = Renewal.objects.filter(state=RenewalState.PROPOSED.value, end_at__gt=as_of)
    rows = _rows(list(found), as_of, zone, None)
    last = horizon.astimezone(zone).date()
    return [row for row in rows if row.end_at <= horizon or (row.decide_on is not None and row.decide_on <= last)]


def renewals_of(*, reservation_id: int) -> list[tuple[int, datetime, RenewalState]]:
    """(id, end, state) of every renewal of one reservation, the last end first, in one query."""
    found = Renewal.objects.filter(reservation_id=reservation_id).order_by("-end_at")
    return [(pk, end, RenewalState(state)) for pk, end, state in found.values_list("pk", "end_at", "state")]


def steps_of(*, renewal_id: int) -> list[StepRow]:
    """Every move of a renewal, the last first, with its evidence, in one query."""
    return [_step(one) for one in RenewalStep.objects.filter(renewal_id=renewal_id).order_by("-number")]


def plans_of(*, renewal_id: int) -> list[PlanRow]:
    """Every plan for its end, the newest first, in one query."""
    return [_plan(one) for one in EndPlan.objects.filter(renewal_id=renewal_id)]


def may_decide(person: Person, row: RenewalRow) -> bool:
    """Whether a person may decide about it: for a team that answers for it, or for everything."""
    return may(person, Action.DECIDE, row.reservation.answering or None)


def sees_money(person: Person, row: RenewalRow) -> bool:
    """Whether a person may see what it costs."""
    return may(person, Action.SEE_PRICES, row.reservation.teams or None)


def _rows(
    found: Collection[Renewal], as_of: datetime, zone: tzinfo, seen_by: frozenset[str] | None
) -> list[RenewalRow]:
    facts = renewal_facts(as_of=as_of, also={one.reservation_id for one in found}, zone=zone)
    seen = facts.by_id if seen_by is None else {one.id: one for one in facts.ends if one.teams & seen_by}
    shown = sorted((one for one in found if one.reservation_id in seen), key=lambda one: (one.end_at, one.pk))
    plans = latest_plans([one.pk for one in shown])
    return [_row(one, facts, plans) for one in shown]


def _row(one: Renewal, facts: RenewalFacts, plans: Mapping[int, EndPlan]) -> RenewalRow:
    end = facts.by_id[one.reservation_id]
    plan = plans.get(one.pk)
    return RenewalRow(
        id=one.pk,
        reservation=end,
        end_at=one.end_at,
        state=RenewalState(one.state),
        choice=Choice(one.choice) if one.choice else None,
        decided_nodes=one.nodes,
        until_at=one.until_at,
        followed_by=one.followed_by_id,
        proposed_at=one.proposed_at,
        moved_at=one.moved_at,
        moves=one.moves,
        decision=facts.decision(end, one.end_at),
        lead=facts.lead,
        possible=_possible(one, end, facts.as_of),
        outcome=outcome_of(one, facts),
        price=facts.price(end),
        plan=_plan(plan) if plan else None,
    )


def _possible(one: Renewal, end: ReservationEnd, now: datetime) -> Possible:
    """What can still be done about it; nothing about an end that has been dealt with or has moved."""
    if RenewalState(one.state) not in (RenewalState.PROPOSED, RenewalState.DECIDED):
        return Possible((), "")
    return possible_at_end(ending_of(end), now=now)


def _step(one: RenewalStep) -> StepRow:
    return StepRow(
        number=one.number,
        move=RenewalMove(one.move),
        choice=Choice(one.choice) if one.choice else None,
        nodes=one.nodes,
        until_at=one.until_at,
        reason=one.reason,
        by=one.moved_by_name,
        at=one.moved_at,
        evidence_hash=one.evidence_hash,
        evidence=one.evidence,
    )


def _plan(one: EndPlan) -> PlanRow:
    return PlanRow(
        at_end=AtEnd(one.at_end),
        fallback=one.fallback,
        resume_tested_on=one.resume_tested_on,
        resume_test=ResumeTest(one.resume_test) if one.resume_test else None,
        note=one.note,
        by=one.planned_by_name,
        at=one.planned_at,
    )
