"""One move of a request: its state, its step on the trail and the audit event are written together or not at all."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from reservations.domain.access import Action, Person, may
from reservations.domain.audit_chain import AuditAct
from reservations.domain.form_key import UnableToReadKey, form_key
from reservations.domain.procurement.request_state import RequestMove, RequestState, state_after, why_not_move
from reservations.domain.procurement.separation import Part, Played
from reservations.models import ExceptionMove, ExceptionPart, ExceptionRequest, ExceptionVersion, User
from reservations.selectors.access import person_of
from reservations.selectors.pools import pool_named
from reservations.services.audit import record_event

ACTS = {
    RequestMove.DRAFT: AuditAct.EXCEPTION_DRAFTED,
    RequestMove.SUBMIT: AuditAct.EXCEPTION_SUBMITTED,
    RequestMove.KEEP: AuditAct.EXCEPTION_SUBMITTED,
    RequestMove.WITHDRAW: AuditAct.EXCEPTION_WITHDRAWN,
    RequestMove.REVISE: AuditAct.EXCEPTION_REVISED,
    RequestMove.APPROVE_STEP: AuditAct.EXCEPTION_STEP_APPROVED,
    RequestMove.APPROVE: AuditAct.EXCEPTION_APPROVED,
    RequestMove.RETURN: AuditAct.EXCEPTION_RETURNED,
    RequestMove.REJECT: AuditAct.EXCEPTION_REJECTED,
    RequestMove.LAPSE: AuditAct.EXCEPTION_LAPSED,
    RequestMove.EXECUTE: AuditAct.EXCEPTION_EXECUTED,
    RequestMove.BREAK_GLASS: AuditAct.GLASS_BROKEN,
    RequestMove.SIGN_OFF: AuditAct.GLASS_SIGNED_OFF,
    RequestMove.REFUSE_SIGN_OFF: AuditAct.GLASS_REFUSED,
    RequestMove.MEET_CONDITION: AuditAct.CONDITION_MET,
}


class UnableToMoveRequest(Exception):
    """The move is not legal, not theirs or not possible any more; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a request stands after a move; ``repeated``: this very form was sent before, and nothing was done again."""

    request_id: int
    version: int
    state: RequestState
    told: str = ""
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Locked:
    """A request under its lock with its newest version, and who acts, with the roles they hold now."""

    request: ExceptionRequest
    version: ExceptionVersion
    user: User
    person: Person
    teams: frozenset[str]

    @property
    def state(self) -> RequestState:
        """Where it stands."""
        return RequestState(self.request.state)

    @property
    def team(self) -> str:
        """The team of its pool: whose approvers approve."""
        return self.request.pool.owner.name

    def played(self) -> list[Played]:
        """Everybody's part in this version."""
        return played_in(self.version)


def acting_user(by: int) -> tuple[User, Person]:
    """An active person with the roles they hold now; UnableToMoveRequest for nobody."""
    user = User.objects.filter(pk=by, is_active=True).first()
    if user is None:
        raise UnableToMoveRequest("Only somebody with an active log-in can do this.")
    return user, person_of(user)


def locked(request_id: int, by: int) -> Locked:
    """The request under its lock until the transaction ends; UnableToMoveRequest where there is none."""
    found = ExceptionRequest.objects.select_for_update(of=("self",)).select_related("pool__owner")
    request = found.filter(pk=request_id).first()
    if request is None:
        raise UnableToMoveRequest("There is no such request.")
    user, person = acting_user(by)
    version = ExceptionVersion.objects.select_related("rule__owner").get(request=request, number=request.version)
    return Locked(request, version, user, person, pool_named(request.pool.name).teams)


def repeated(key: UUID | str | None, by: int, request_id: int | None = None) -> Moved | None:
    """What this person's form with this key did, if it was sent before.

    UnableToMoveRequest for a key that is none, and for one of another person or of another request.
    """
    if key is None:
        return None
    try:
        found = ExceptionMove.objects.filter(key=form_key(key)).first()
    except UnableToReadKey as unable:
        raise UnableToMoveRequest(str(unable)) from None
    if found is None:
        return None
    if found.by_id != by or request_id not in (None, found.request_id):
        raise UnableToMoveRequest("This form was sent for something else already: open it again.")
    return Moved(found.request_id, found.version, RequestState(found.state), found.told, repeated=True)


def require_leave(on: Locked, action: Action, what: str) -> None:
    """UnableToMoveRequest unless who acts may do this for the request's teams."""
    if not may(on.person, action, on.teams):
        raise UnableToMoveRequest(f"You may not {what} for {on.team}.")


def require_own(on: Locked, what: str) -> None:
    """UnableToMoveRequest but for who asks and for the team whose pool it is: tenants neither rewrite nor withdraw."""
    asks = any(one.user_id == on.user.pk and one.part is Part.REQUESTER for one in on.played())
    if not asks and not may(on.person, Action.REQUEST_EXCEPTION, [on.team]):
        raise UnableToMoveRequest(f"Only who asks, or somebody of {on.team}, can {what} it.")


def require_legal(on: Locked, move: RequestMove, reason: str = "") -> None:
    """UnableToMoveRequest unless the request's state allows the move."""
    why = why_not_move(on.state, move, reason=reason)
    if why:
        raise UnableToMoveRequest(why)


def note_writer(version: ExceptionVersion, user: User) -> None:
    """Keep that somebody wrote in a version: whoever did asks for it, also where another saves after them."""
    part = ExceptionPart(version=version, user=user, part=Part.REQUESTER.value)
    ExceptionPart.objects.bulk_create([part], ignore_conflicts=True)


def played_in(version: ExceptionVersion) -> list[Played]:
    """Everybody's part in a version."""
    rows = ExceptionPart.objects.filter(version=version).values_list("user_id", "part")
    return [Played(user_id, Part(part)) for user_id, part in rows]


def move_on(
    request: ExceptionRequest,
    move: RequestMove,
    *,
    at: datetime,
    by: User | None,
    told: str,
    reason: str = "",
    key: UUID | str | None = None,
    acting_for: str = "",
    after: dict[str, object] | None = None,
) -> Moved:
    """Move a locked request, keep the move and write the audit event, which is last since it holds the trail."""
    before = request.state
    request.state = state_after(RequestState(before), move).value
    request.moves += 1
    request.moved_at = at
    request.save()
    keep_move(request, move, at=at, by=by, told=told, reason=reason, key=key, acting_for=acting_for)
    record_event(
        what=ACTS[move],
        about="exception_request",
        ident=str(request.pk),
        by=by,
        acting_for=acting_for,
        before={"state": before},
        after={"state": request.state, "version": request.version, "told": told, **(after or {})},
        why=reason,
    )
    return Moved(request.pk, request.version, RequestState(request.state), told)


def keep_move(
    request: ExceptionRequest,
    move: RequestMove,
    *,
    at: datetime,
    by: User | None,
    told: str,
    reason: str = "",
    key: UUID | str | None = None,
    acting_for: str = "",
) -> None:
    """The row of the trail."""
    ExceptionMove.objects.create(
        request=request,
        number=request.moves,
        version=request.version,
        move=move.value,
        state=request.state,
        reason=reason,
        told=told,
        key=form_key(key),
        by=by,
        by_name=by.get_username() if by else "",
        acting_for_name=acting_for,
        at=at,
    )
