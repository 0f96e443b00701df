"""Jobs register before their block ends, and report what has become of them since."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest

from django.db import IntegrityError, transaction

from reservations.domain.access import Action, Person, may
from reservations.domain.held_now import ReservationRow
from reservations.selectors.pools import UnableToFindPool, pool_seen
from reservations.selectors.reservations import reservation_named
from reservations.selectors.teams import team_id
from reservations.services.audit import AuditAct, record_event
from reservations.services.sealed import UnableToOpen, opened, sealed
from scheduler.domain.block_clock.manifest import Location
from scheduler.domain.block_clock.registration import Duration, JobEntry, Plan
from scheduler.domain.block_clock.states import LIVE
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY
from scheduler.models import CheckpointDuration, EndingJob
from scheduler.selectors.ending_blocks import ending_blocks
from scheduler.trainers.checkpoint_store import CheckpointStore, UnableToVerify


class UnableToRegisterJob(Exception):
    """What was sent does not fit what there is; ``field`` names what, and the message is one sentence."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


class UnableToAcceptOwner(UnableToRegisterJob):
    """Nobody may register jobs for a team they do not answer for."""


class UnableToRegisterTwice(UnableToRegisterJob):
    """A live job of this id is registered on this reservation already, with other content."""


@dataclass(frozen=True, slots=True)
class Registered:
    """The job's number, and whether it was not registered before."""

    number: int
    new: bool


def reach_checkpoints(place: Location) -> None:
    """See that a job's checkpoints may be read; UnableToRegisterJob where they may not."""
    policy = DEFAULT_BLOCK_POLICY
    store = CheckpointStore(timeout=policy.verify_timeout, most_bytes=policy.verify_bytes)
    try:
        store.reach(place)
    except UnableToVerify as unable:
        raise UnableToRegisterJob("checkpoint", str(unable)) from unable


def register_job(
    *,
    entry: JobEntry,
    person: Person,
    as_of: datetime,
    by: str = "",
    reach: Callable[[Location], None] = reach_checkpoints,
) -> Registered:
    """Keep a job until its block ends; the same registration again changes nothing but adds its durations.

    UnableToFindReservation, or UnableToRegisterJob for what does not fit; nothing is written then.
    """
    held = reservation_named(name=entry.reservation, person=person, as_of=as_of)
    fields = _fields(entry, held, person, as_of)
    found = _same_again(held.id, entry)
    if found is not None:
        return found
    reach(entry.place)
    told = {"stop_hook_secret": sealed(entry.secret), "registered_by_name": by, **fields}
    try:
        with transaction.atomic():
            row = EndingJob.objects.create(**told, registered_at=as_of, changed_at=as_of)
            add_durations(job_id=row.pk, durations=entry.durations)
            told = {"job_id": entry.job_id, "content_sha256": fields["content_sha256"], "reservation_id": held.id}
            record_event(what=AuditAct.JOB_CHANGED, about="ending_job", ident=str(row.pk), by=by, after=told)
    except IntegrityError:  # somebody registered it in this very moment
        found = _same_again(held.id, entry)
        if found is None:
            raise
        return found
    return Registered(row.pk, new=True)


def add_durations(*, job_id: int, durations: Collection[Duration]) -> None:
    """Keep measured checkpoints; one that was reported already is the same one."""
    rows = [CheckpointDuration(job_id=job_id, measured_at=one.measured_at, took_ms=one.took_ms) for one in durations]
    CheckpointDuration.objects.bulk_create(rows, ignore_conflicts=True)


def plan_fields(plan: Plan, person: Person) -> Mapping[str, object]:
    """What is to follow the end, as it is stored; UnableToRegisterJob for a pool this person may not see."""
    try:
        pool = pool_seen(plan.pool, person).id if plan.pool else None
    except UnableToFindPool as unable:
        said = str(unable)
        raise UnableToRegisterJob("fallback_pool", f"{said[0].upper()}{said[1:].rstrip('.')}.") from unable
    return {
        "decision": plan.decision.value,
        "fallback_pool_id": pool,
        "fallback_shape": plan.shape,
        "fallback_nodes": plan.nodes,
        "resume_tested_on": plan.tested_on,
        "resume_test_passed": plan.passed,
    }


def _fields(entry: JobEntry, held: ReservationRow, person: Person, as_of: datetime) -> Mapping[str, object]:
    owner = entry.owner or held.owner
    if owner is None:
        raise UnableToRegisterJob("owner", f"Nobody answers for {held.external_id}: name the team that owns the job.")
    if not may(person, Action.REGISTER_JOB, {owner}):
        raise UnableToAcceptOwner("owner", f"None of your roles lets you register jobs of the team “{owner}”.")
    if owner not in held.teams and not may(person, Action.REGISTER_JOB, held.teams):
        sentence = f"{held.external_id} is not the team “{owner}”'s, and no role of yours lets you register jobs on it."
        raise UnableToAcceptOwner("owner", sentence)
    owner_id = team_id(owner)
    if owner_id is None:
        raise UnableToRegisterJob("owner", f"There is no team “{owner}”.")
    _check_end(held, as_of)
    return {
        "reservation_id": held.id,
        "job_id": entry.job_id,
        "owner_id": owner_id,
        "stop_hook_url": entry.stop_hook_url,
        "checkpoint_location": str(entry.place),
        "expected_end_at": entry.expected_end_at,
        "content_sha256": entry.content_sha256(),
        **plan_fields(entry.plan, person),
    }


def _check_end(held: ReservationRow, as_of: datetime) -> None:
    if held.end_at is None:
        raise UnableToRegisterJob("reservation", f"{held.external_id} has no end: there is nothing to register for.")
    if held.over or held.end_at <= as_of:
        raise UnableToRegisterJob("reservation", f"{held.external_id} has ended.")
    for block in ending_blocks(as_of=as_of, reservation_id=held.id):
        if block.end.usable_until <= as_of:
            sentence = f"The machines of {held.external_id} are being taken away: it ends within the hour."
            raise UnableToRegisterJob("reservation", sentence)


@transaction.atomic
def _same_again(reservation_id: int, entry: JobEntry) -> Registered | None:
    """The live job of this id; UnableToRegisterTwice where it was registered with other content."""
    rows = EndingJob.objects.select_for_update().filter(reservation_id=reservation_id, job_id=entry.job_id)
    row = rows.filter(state__in=[state.value for state in LIVE]).first()
    if row is None:
        return None
    if row.content_sha256 != entry.content_sha256() or not _same_secret(row, entry.secret):
        sentence = f"{entry.job_id} is registered on {entry.reservation} already, with other content: report on it,"
        raise UnableToRegisterTwice("id", f"{sentence} or withdraw it first.")
    add_durations(job_id=row.pk, durations=entry.durations)
    return Registered(row.pk, new=False)


def _same_secret(row: EndingJob, secret: str) -> bool:
    """Whether a secret is the one that is kept; one that no key opens any more is replaced by it."""
    try:
        return compare_digest(opened(row.stop_hook_secret), secret)
    except UnableToOpen:
        row.stop_hook_secret = sealed(secret)
        row.save(update_fields=["stop_hook_secret"])
        return True
