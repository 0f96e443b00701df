"""Drafts: kept while they are typed, never over what somebody else typed meanwhile, with their files."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db import IntegrityError, transaction

from reservations.domain.access import Action, may
from reservations.domain.procurement.attachment import MOST, UnableToAttach, clean_name, media_type
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.domain.procurement.typed import typed_fields
from reservations.models import ExceptionAttachment, ExceptionRequest, ExceptionVersion, Pool
from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.services.audit import record_event
from reservations.services.exceptions.acting import (
    ACTS,
    Locked,
    UnableToMoveRequest,
    acting_user,
    keep_move,
    locked,
    note_writer,
    repeated,
    require_leave,
    require_own,
)

FIRST_SAVE = 1


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """Which draft was saved; ``saves`` is what the next save and the submission have to name."""

    request_id: int
    version: int
    saves: int


def save_draft_exception(
    *,
    typed: Mapping[str, object],
    by: int,
    at: datetime,
    request_id: int | None = None,
    saves: int | None = None,
    recommendation: int | None = None,
    key: UUID | str | None = None,
) -> SavedDraft:
    """Keep what was typed so far: a new draft without ``request_id``, else over the save numbered ``saves``.

    Complete it needs not be, but for the pool. UnableToReadRequest for a field too long to keep, UnableToMoveRequest
    where it is no draft any more, was saved in another window meanwhile, or is not theirs. One ``key`` makes one draft.
    """
    fields = typed_fields(typed)
    if request_id is not None:
        return _save_again(request_id, fields, saves, by, at)
    try:
        return _first_save(fields, by, at, recommendation, key)
    except IntegrityError:
        # The same form was sent twice at the same time: the other one made the draft.
        found = _made_before(key, by)
        if found is None:
            raise
        return found


@transaction.atomic
def attach_file(*, request_id: int, name: str, content: bytes, by: int, at: datetime) -> int:
    """Keep a file with a draft and give its key; the same one again gives the same. UnableToAttach otherwise."""
    on = _own_draft(request_id, by)
    kind, digest = media_type(content, name), sha256(content).hexdigest()
    known = ExceptionAttachment.objects.filter(version=on.version, sha256=digest).values_list("pk", flat=True).first()
    if known is not None:
        return known
    if ExceptionAttachment.objects.filter(version=on.version).count() >= MOST:
        raise UnableToAttach(f"A request holds {MOST} files at most.")
    kept = ExceptionAttachment.objects.create(
        version=on.version,
        name=clean_name(name),
        media_type=kind,
        size=len(content),
        sha256=digest,
        content=content,
        added_by_name=on.user.get_username(),
        added_at=at,
    )
    note_writer(on.version, on.user)
    return kept.pk


@transaction.atomic
def remove_file(*, request_id: int, attachment_id: int, by: int) -> bool:
    """Take a file from a draft; False where it has none such."""
    on = _own_draft(request_id, by)
    removed = ExceptionAttachment.objects.filter(pk=attachment_id, version=on.version).delete()[0]
    if removed:
        note_writer(on.version, on.user)
    return bool(removed)


@transaction.atomic
def _first_save(
    fields: dict[str, str], by: int, at: datetime, recommendation: int | None, key: UUID | str | None
) -> SavedDraft:
    found = _made_before(key, by)
    if found is not None:
        return found
    user, person = acting_user(by)
    pool = _pool(fields)
    if not may(person, Action.REQUEST_EXCEPTION, pool_named(pool.name).teams):
        raise UnableToMoveRequest(f"You may not ask for an exception for the pool {pool.name}.")
    request = ExceptionRequest.objects.create(
        pool=pool,
        requester=user,
        requester_name=user.get_username(),
        recommendation=recommendation,
        created_at=at,
        moved_at=at,
    )
    version = ExceptionVersion.objects.create(
        request=request, number=1, typed=fields, saved_at=at, author=user, author_name=user.get_username()
    )
    note_writer(version, user)
    told = "Began a draft."
    keep_move(request, RequestMove.DRAFT, at=at, by=user, told=told, key=key)
    record_event(
        what=ACTS[RequestMove.DRAFT],
        about="exception_request",
        ident=str(request.pk),
        by=user,
        after={"state": request.state, "pool": pool.name},
    )
    return SavedDraft(request.pk, 1, FIRST_SAVE)


@transaction.atomic
def _save_again(request_id: int, fields: dict[str, str], saves: int | None, by: int, at: datetime) -> SavedDraft:
    on = _own_draft(request_id, by)
    version = on.version
    if fields == version.typed:
        return SavedDraft(request_id, version.number, version.saves)
    if saves != version.saves:
        said = f"This draft was saved by {version.author_name} in another window meanwhile"
        raise UnableToMoveRequest(f"{said}: open it again, so that nothing is lost.")
    pool = _pool(fields)
    if pool.pk != on.request.pool_id:
        if not may(on.person, Action.REQUEST_EXCEPTION, pool_named(pool.name).teams):
            raise UnableToMoveRequest(f"You may not ask for an exception for the pool {pool.name}.")
        ExceptionRequest.objects.filter(pk=request_id).update(pool=pool)
    version.typed, version.saves, version.saved_at = fields, version.saves + 1, at
    version.author, version.author_name = on.user, on.user.get_username()
    version.save()
    note_writer(version, on.user)
    return SavedDraft(request_id, version.number, version.saves)


def _made_before(key: UUID | str | None, by: int) -> SavedDraft | None:
    found = repeated(key, by)
    if found is None:
        return None
    version = ExceptionVersion.objects.get(request_id=found.request_id, number=found.version)
    return SavedDraft(found.request_id, version.number, version.saves)


def _own_draft(request_id: int, by: int) -> Locked:
    on = locked(request_id, by)
    require_leave(on, Action.REQUEST_EXCEPTION, "write requests")
    require_own(on, "write")
    if on.state is not RequestState.DRAFT:
        raise UnableToMoveRequest("It is no draft any more: revise it to change what it says.")
    return on


def _pool(fields: Mapping[str, str]) -> Pool:
    try:
        return Pool.objects.get(pk=pool_named(fields.get("pool", "")).id)
    except UnableToFindPool as unable:
        raise UnableToMoveRequest(f"{str(unable)[0].upper()}{str(unable)[1:]}.") from None
