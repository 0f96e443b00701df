"""One pass of the end-time controller: what is due about every job on every block that ends, done and written down.

Everything is computed from the end a block has now. Safe to be killed at any point and to run twice at a time: a step
is written down before it is taken, repeated under the same id, and each job has one controller at a time.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from uuid import UUID, uuid4

import structlog
from django.db import DatabaseError

from reservations.services.sealed import UnableToOpen, opened
from scheduler.domain.block_clock.course import REFUSED, Standing
from scheduler.domain.block_clock.signing import StopRequest
from scheduler.domain.block_clock.states import Step
from scheduler.domain.outside_address import Network
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY, BlockPolicy
from scheduler.models import EndingJob
from scheduler.selectors.ending_blocks import EndingBlock, JobRow, ending_blocks
from scheduler.services.block_clock.acting import Outcome, checkpoint_verified, stop_asked
from scheduler.services.block_clock.leases import lease, release, renew
from scheduler.services.block_clock.recording import intend, mark_resumable, note_outcomes, settle
from scheduler.trainers.checkpoint_store import CheckpointStore
from scheduler.trainers.stop_hook import Hook

log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]
Reached = Callable[[str], None]

RENEWED_WITHIN_A_LEASE = 3
TOGETHER_SECONDS = 0.05
"""What comes back within it of the first is written down with it: of hundreds of jobs in a few statements."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The blocks as they stand after a pass, and how many steps were taken in it."""

    blocks: tuple[EndingBlock, ...]
    steps: int


@dataclass(slots=True)
class _Pass:
    as_of: datetime
    clock: Clock
    private: Sequence[Network]
    policy: BlockPolicy
    reached: Reached
    controller: UUID = field(default_factory=uuid4)
    held: set[int] = field(default_factory=set)
    tried: set[tuple[int, Step]] = field(default_factory=set)
    settled: set[tuple[int, Standing]] = field(default_factory=set)
    faults: list[BaseException] = field(default_factory=list)
    store: CheckpointStore = field(init=False)

    def __post_init__(self) -> None:
        self.store = CheckpointStore(timeout=self.policy.verify_timeout, most_bytes=self.policy.verify_bytes)


def watch_blocks(
    *,
    as_of: datetime,
    clock: Clock,
    private: Sequence[Network],
    policy: BlockPolicy = DEFAULT_BLOCK_POLICY,
    reached: Reached = lambda point: None,
) -> Passed:
    """Take every step that is due at an instant, each job's at most once, and say how the blocks stand then.

    ``as_of`` before a step that was taken already changes nothing about its job. ``clock`` dates what is signed, hooks
    are called in the public network and in the ``private`` ones, and ``reached`` is told each point at which a
    controller might die.
    """
    now = _Pass(as_of, clock, private, policy, reached)
    steps = 0
    try:
        while True:
            blocks = ending_blocks(as_of=as_of, policy=policy)
            todo = _attended(blocks, now)
            if not todo or not (mine := _mine(todo, now)):
                break
            steps += _take(mine, now)
    finally:
        release(controller=now.controller)
    if now.faults:  # of one job: the others were seen to all the same
        raise now.faults[0]
    return Passed(tuple(blocks), steps)


def _attended(blocks: Iterable[EndingBlock], now: _Pass) -> list[tuple[EndingBlock, JobRow]]:
    return [(block, job) for block in blocks for job in block.jobs if _attend(job, now)]


def _attend(job: JobRow, now: _Pass) -> bool:
    """Whether something about a job is to be written or done, and not already seen to in this pass."""
    if not job.live or any(now.as_of < step.taken.intended_at for step in job.steps):
        return False
    return _settles(job, now) or _due(job, now)


def _due(job: JobRow, now: _Pass) -> bool:
    return job.standing.due is not None and (job.number, job.standing.due) not in now.tried


def _settles(job: JobRow, now: _Pass) -> bool:
    stored, seen = job.stored, job.standing
    if (job.number, seen) in now.settled:
        return False
    return (stored.state, stored.trouble, stored.reason) != (seen.state, seen.trouble, seen.reason)


def _mine(todo: Sequence[tuple[EndingBlock, JobRow]], now: _Pass) -> list[tuple[EndingBlock, JobRow]]:
    """The jobs this controller is at; those it was not at before are read again: another may have just left them."""
    numbers, length = {job.number for _, job in todo}, now.policy.lease
    still = renew(numbers=numbers & now.held, controller=now.controller, length=length)
    fresh = lease(numbers=numbers - still, controller=now.controller, length=length)
    now.held = still | fresh
    now.reached("leased")
    kept = [pair for pair in todo if pair[1].number in still]
    if not fresh:
        return kept
    again = _attended(ending_blocks(as_of=now.as_of, policy=now.policy), now)
    return kept + [pair for pair in again if pair[1].number in fresh]


def _take(mine: list[tuple[EndingBlock, JobRow]], now: _Pass) -> int:
    """Write down where these jobs stand, and take what is due about them; how many steps were taken."""
    settling = [job for _, job in mine if _settles(job, now)]
    now.settled |= {(job.number, job.standing) for job in settling}
    settle(jobs=settling, controller=now.controller, as_of=now.as_of)
    now.reached("settled")
    due = [(block, job) for block, job in mine if _due(job, now)]
    now.tried |= {(job.number, job.standing.due) for _, job in due if job.standing.due is not None}
    ids = intend(jobs=[job for _, job in due], as_of=now.as_of)
    for _, job in due:
        now.reached(f"intended {job.standing.due}")
    outside = [pair for pair in due if pair[1].standing.due is not Step.MARK_RESUMABLE]
    resumed = [(job, step) for _, job in due if (step := ids.get((job.number, Step.MARK_RESUMABLE))) is not None]
    mark_resumable(jobs=resumed, controller=now.controller, as_of=now.as_of)
    for _ in resumed:
        now.reached(f"recorded {Step.MARK_RESUMABLE}")
    _go_out(outside, ids, now)
    return len(ids)


def _go_out(due: list[tuple[EndingBlock, JobRow]], ids: dict[tuple[int, Step], UUID], now: _Pass) -> None:
    """Side by side, with what comes back written down as it comes; the leases are renewed meanwhile."""
    if not due:
        return
    secrets = _secrets([job.number for _, job in due if job.standing.due is Step.REQUEST_STOP])
    with ThreadPoolExecutor(now.policy.at_once) as threads:
        waiting: dict[Future[Outcome], tuple[JobRow, UUID]] = {}
        for block, job in _in_turn(due):
            step_id = ids.get((job.number, job.standing.due or Step.REQUEST_STOP))
            if step_id is not None:
                waiting[threads.submit(_outcome, block, job, step_id, secrets, now)] = (job, step_id)
        _gather(waiting, now)


def _in_turn(due: Iterable[tuple[EndingBlock, JobRow]]) -> list[tuple[EndingBlock, JobRow]]:
    """What failed before comes last, and else one job of each team after another: no team's hooks hold up the rest."""
    turns: Counter[tuple[bool, str]] = Counter()
    placed: list[tuple[bool, int, tuple[EndingBlock, JobRow]]] = []
    for pair in due:
        failed, team = _failed_before(pair[1]), pair[1].owner
        placed.append((failed, turns[failed, team], pair))
        turns[failed, team] += 1
    return [pair for _, _, pair in sorted(placed, key=lambda one: one[:2])]


def _failed_before(job: JobRow) -> bool:
    taken = job.facts.steps.get(job.standing.due) if job.standing.due is not None else None
    return taken is not None and bool(taken.result)


def _gather(waiting: dict[Future[Outcome], tuple[JobRow, UUID]], now: _Pass) -> None:
    """Write down outcomes as they come, and keep what went wrong by a fault of ours until all are seen to."""
    numbers = [job.number for job, _ in waiting.values()]
    every, renewed = now.policy.lease.total_seconds() / RENEWED_WITHIN_A_LEASE, monotonic()
    while waiting:
        done, left = wait(waiting, timeout=every or None, return_when=FIRST_COMPLETED)
        if done and left:
            done |= wait(left, timeout=TOGETHER_SECONDS).done
        _note([(*waiting.pop(future), future) for future in done], now)
        if monotonic() - renewed >= every:
            renew(numbers=numbers, controller=now.controller, length=now.policy.lease)
            renewed = monotonic()


def _note(came: Iterable[tuple[JobRow, UUID, Future[Outcome]]], now: _Pass) -> None:
    """Write down what came back at once, and one by one where something of it cannot be written."""
    outcomes: dict[UUID, Outcome] = {}
    jobs: dict[UUID, JobRow] = {}
    for job, step_id, future in came:
        now.reached(f"acted {job.standing.due}")
        try:
            outcomes[step_id] = future.result()
        except Exception as fault:
            _faulty(job, fault, now)
        jobs[step_id] = job
    try:
        note_outcomes(outcomes=outcomes, as_of=now.as_of)
    except DatabaseError:
        for step_id in list(outcomes):
            try:
                note_outcomes(outcomes={step_id: outcomes[step_id]}, as_of=now.as_of)
            except Exception as fault:
                del outcomes[step_id]
                _faulty(jobs[step_id], fault, now)
    for step_id in outcomes:
        now.reached(f"recorded {jobs[step_id].standing.due}")


def _faulty(job: JobRow, fault: Exception, now: _Pass) -> None:
    log.exception("a step of a job went wrong", job=job.number, step=job.standing.due, exc_info=fault)
    now.faults.append(fault)


def _outcome(block: EndingBlock, job: JobRow, step_id: UUID, secrets: dict[int, str | None], now: _Pass) -> Outcome:
    if job.standing.due is Step.VERIFY_CHECKPOINT:
        stop = next(one.id for one in job.steps if one.step is Step.REQUEST_STOP and one.end_at == block.end.end_at)
        return checkpoint_verified(now.store, job.checkpoint_location, str(stop))
    secret = secrets[job.number]
    if secret is None:
        return Outcome("The secret of the stop hook cannot be read: register the job with it anew.", REFUSED)
    request = StopRequest(
        id=str(step_id),
        job=job.id,
        reservation=block.held.external_id,
        end_at=block.end.end_at,
        usable_until=block.end.usable_until,
        checkpoint_location=job.checkpoint_location,
    )
    hook = Hook(job.stop_hook_url, now.private, now.policy.stop_timeout)
    remaining = block.end.usable_until - now.as_of
    return stop_asked(hook, request, secret, clock=now.clock, remaining=remaining, policy=now.policy)


def _secrets(numbers: list[int]) -> dict[int, str | None]:
    """The secret of each job's hook; None where it cannot be opened with today's keys."""
    found: dict[int, str | None] = {}
    for number, kept in EndingJob.objects.filter(pk__in=numbers).values_list("pk", "stop_hook_secret"):
        try:
            found[number] = opened(kept)
        except UnableToOpen as unable:
            log.warning("a hook's secret cannot be opened", job=number, error=str(unable))
            found[number] = None
    return found
