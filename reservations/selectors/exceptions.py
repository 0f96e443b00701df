"""Requests for exceptions as lists show them, and the inbox of who is asked to decide."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.db.models import F, Q, QuerySet

from reservations.domain.access import Action, Person, Role, may
from reservations.domain.procurement.authority import RequiredStep, holds, open_steps, why_not_alone
from reservations.domain.procurement.delegation import why_not_use
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.request_state import STATE_WORDS, RequestState
from reservations.domain.procurement.separation import Part, Played, why_not_part
from reservations.models import (
    BreakGlass,
    ExceptionApproval,
    ExceptionCondition,
    ExceptionPart,
    ExceptionRequest,
    ExceptionVersion,
)
from reservations.selectors.approvers import Lent, delegations_of
from reservations.selectors.contacts import people
from reservations.selectors.pools import pool_rows

SEE_CONFIDENTIAL = frozenset({Role.AUDITOR, Role.ADMIN, Role.APPROVER})


@dataclass(frozen=True, slots=True)
class ExceptionRow:
    """One request as a list shows it; money and dates None while its draft does not say them.

    ``waiting`` are the steps whose turn it is; ``asking`` everybody who wrote a version of it.
    """

    id: int
    pool: str
    pool_id: int
    team: str
    teams: frozenset[str]
    state: RequestState
    version: int
    kind: ExceptionType | None
    nodes: int | None
    amount: Decimal | None
    authority_amount: Decimal | None
    currency: str
    term_start: date | None
    term_end: date | None
    shape: str
    node_hour_price: Decimal | None
    requester: str
    requester_id: int
    created_at: datetime
    moved_at: datetime
    submitted_at: datetime | None
    decide_by: date | None
    approved_at: datetime | None
    valid_until: datetime | None
    executed_with: int | None
    rule_version: int | None
    content_hash: str
    reservation: str
    confidential: bool
    required: tuple[RequiredStep, ...]
    waiting: tuple[RequiredStep, ...]
    played: tuple[Played, ...]
    conditions_open: int = 0
    condition_due_on: date | None = None
    glass_due_at: datetime | None = None

    @property
    def state_words(self) -> str:
        """Where it stands, in words."""
        return STATE_WORDS[self.state]

    @property
    def kind_label(self) -> str:
        """What it departs in, in words; blank while the draft does not say."""
        return TYPES[self.kind].label if self.kind else ""


@dataclass(frozen=True, slots=True)
class InboxItem:
    """A request that waits for this person: which step, in whose name, or whether its emergency is to be signed off."""

    row: ExceptionRow
    step: RequiredStep | None
    acting_for: Lent | None = None
    sign_off: bool = False


def exception_rows(
    person: Person, *, user_id: int, states: Collection[RequestState] = (), pool: str = ""
) -> list[ExceptionRow]:
    """The requests a person may see, newest move first."""
    found = _found(states, pool)
    return [row for row in told_rows(found) if is_seen(row, person, user_id)]


def exception_row(request_id: int, person: Person, *, user_id: int) -> ExceptionRow | None:
    """One request that a person may see; None otherwise."""
    rows = told_rows(ExceptionRequest.objects.filter(pk=request_id))
    return rows[0] if rows and is_seen(rows[0], person, user_id) else None


def all_exception_rows(*, states: Collection[RequestState] = ()) -> list[ExceptionRow]:
    """Every request, for tasks: who may see which is not asked here."""
    return told_rows(_found(states, ""))


def inbox(person: Person, *, user_id: int, at: datetime) -> list[InboxItem]:
    """What waits for a person's decision, by their own roles and by what was delegated to them, oldest first."""
    glass = Q(versions__glass__verdict="")
    found = ExceptionRequest.objects.filter(Q(state=RequestState.SUBMITTED.value) | glass).distinct()
    return inbox_of(told_rows(found), person, user_id=user_id, at=at)


def inbox_of(rows: Collection[ExceptionRow], person: Person, *, user_id: int, at: datetime) -> list[InboxItem]:
    """What of these rows waits for a person's decision, oldest first; what they were lent is asked for once."""
    waiting = [row for row in rows if row.waiting or row.glass_due_at is not None]
    lent = [one for one in delegations_of(user_id, at=at) if one.given.delegate == user_id] if waiting else []
    delegators = _persons([one.given.delegator for one in lent])
    items = [item for row in waiting for item in _mine(row, person, user_id, lent, delegators, at)]
    return sorted(items, key=lambda item: (item.row.submitted_at or item.row.moved_at, item.row.id))


def is_seen(row: ExceptionRow, person: Person, user_id: int) -> bool:
    """Whether a person may see a request; a confidential one only who asks, decides, audits or administers."""
    if not may(person, Action.SEE_EXCEPTION, row.teams):
        return False
    if not row.confidential or row.requester_id == user_id:
        return True
    if any(one.user_id == user_id for one in row.played):
        return True
    decides = any(holds(person, step.role, row.team) for step in row.required)
    return decides or any(
        grant.role in SEE_CONFIDENTIAL and grant.team in (None, *row.teams) for grant in person.grants
    )


def told_rows(found: QuerySet[ExceptionRequest]) -> list[ExceptionRow]:
    """Requests as rows, in six queries however many there are."""
    requests = list(found.select_related("pool__owner").order_by("-moved_at", "-id"))
    teams = {row.id: row.teams for row in pool_rows()} if requests else {}
    ids = [one.pk for one in requests]
    versions = _newest_versions(requests)
    extras = _Extras(ids, [one.pk for one in versions.values()])
    return [_row(one, versions[one.pk], teams.get(one.pool_id, frozenset()), extras) for one in requests]


class _Extras:
    """What hangs on requests and their newest versions, each in one query."""

    def __init__(self, ids: Collection[int], version_ids: Collection[int]) -> None:
        self.steps: dict[int, list[str]] = defaultdict(list)
        self.played: dict[int, list[Played]] = defaultdict(list)
        self.conditions: dict[int, list[date]] = defaultdict(list)
        approvals = ExceptionApproval.objects.filter(version_id__in=version_ids).values_list("version_id", "step")
        for version_id, step in approvals:
            self.steps[version_id].append(step)
        parts = ExceptionPart.objects.filter(version_id__in=version_ids).values_list("version_id", "user_id", "part")
        for version_id, user_id, part in parts:
            self.played[version_id].append(Played(user_id, Part(part)))
        due = ExceptionCondition.objects.filter(request_id__in=ids, met_at__isnull=True)
        for request_id, on in due.values_list("request_id", "due_on"):
            self.conditions[request_id].append(on)
        glass = BreakGlass.objects.filter(version_id__in=version_ids, verdict="")
        self.glass: Mapping[int, datetime] = dict(glass.values_list("version_id", "sign_off_due_at"))


def _found(states: Collection[RequestState], pool: str) -> QuerySet[ExceptionRequest]:
    found = ExceptionRequest.objects.all()
    if states:
        found = found.filter(state__in=[state.value for state in states])
    return found.filter(pool__name=pool) if pool else found


def _newest_versions(requests: Iterable[ExceptionRequest]) -> dict[int, ExceptionVersion]:
    ids = [one.pk for one in requests]
    newest = ExceptionVersion.objects.filter(request_id__in=ids, number=F("request__version"))
    return {row.request_id: row for row in newest.defer("evidence", "content").select_related("rule")}


def _row(one: ExceptionRequest, version: ExceptionVersion, teams: frozenset[str], extras: _Extras) -> ExceptionRow:
    required = tuple(RequiredStep(**{**step, "role": Role(step["role"])}) for step in version.required)
    waiting = open_steps(required, extras.steps[version.pk]) if one.state == RequestState.SUBMITTED.value else ()
    due = extras.conditions[one.pk]
    kind = version.kind or str(version.typed.get("kind", ""))
    return ExceptionRow(
        id=one.pk,
        pool=one.pool.name,
        pool_id=one.pool_id,
        team=one.pool.owner.name,
        teams=teams,
        state=RequestState(one.state),
        version=one.version,
        kind=ExceptionType(kind) if kind in {member.value for member in ExceptionType} else None,
        nodes=version.nodes,
        amount=version.amount,
        authority_amount=version.authority_amount,
        currency=version.currency,
        term_start=version.term_start,
        term_end=version.term_end,
        shape=version.shape,
        node_hour_price=version.node_hour_price,
        requester=one.requester_name,
        requester_id=one.requester_id,
        created_at=one.created_at,
        moved_at=one.moved_at,
        submitted_at=version.submitted_at,
        decide_by=one.decide_by,
        approved_at=one.approved_at,
        valid_until=one.valid_until,
        executed_with=one.executed_with_id,
        rule_version=version.rule.version if version.rule else None,
        content_hash=version.content_hash,
        reservation=str(version.typed.get("reservation", "")),
        confidential=bool(version.typed.get("confidential")),
        required=required,
        waiting=waiting,
        played=tuple(extras.played[version.pk]),
        conditions_open=len(due),
        condition_due_on=min(due, default=None),
        glass_due_at=extras.glass.get(version.pk),
    )


def _mine(
    row: ExceptionRow,
    person: Person,
    user_id: int,
    lent: Iterable[Lent],
    delegators: Mapping[int, Person],
    at: datetime,
) -> list[InboxItem]:
    if row.glass_due_at is not None:
        free = not why_not_part(row.played, user_id=user_id, part=Part.SECOND)
        held = not why_not_alone(row.required, person, row.team)
        return [InboxItem(row, None, sign_off=True)] if free and held else []
    own = next((step for step in row.waiting if holds(person, step.role, row.team)), None)
    if own and not why_not_part(row.played, user_id=user_id, part=Part.APPROVER):
        return [InboxItem(row, own)]
    for one in lent:
        other = delegators.get(one.given.delegator)
        step = next((step for step in row.waiting if other and holds(other, step.role, row.team)), None)
        acting = one.given.delegator
        free = not why_not_part(row.played, user_id=user_id, part=Part.APPROVER, acting_for=acting)
        if step and free and _covers(one, row, at):
            return [InboxItem(row, step, one)]
    return []


def _covers(one: Lent, row: ExceptionRow, at: datetime) -> bool:
    """Whether what was delegated reaches a request, as the service asks it again."""
    asking = {played.user_id for played in row.played if played.part is Part.REQUESTER}
    amount, kind = row.authority_amount or Decimal(0), row.kind
    return kind is not None and not why_not_use(
        one.given, at=at, amount=amount, currency=row.currency, kind=kind, asking=asking
    )


def _persons(ids: Collection[int]) -> Mapping[int, Person]:
    return people(ids) if ids else {}
