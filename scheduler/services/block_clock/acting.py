"""The two steps that leave the house: asking a trainer to stop, and verifying a checkpoint; no database here."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.domain.block_clock.course import REFUSED
from scheduler.domain.block_clock.manifest import UnableToReadLocation, location
from scheduler.domain.block_clock.signing import StopRequest, headers
from scheduler.domain.block_clock.states import Trouble
from scheduler.domain.policy import BlockPolicy
from scheduler.trainers.checkpoint_store import CheckpointStore, UnableToVerify
from scheduler.trainers.stop_hook import Hook, UnableToReachTrainer, send_stop

PAUSES_SECONDS = (0.2, 0.8)
"""Before a second and a third try within one pass: a trainer that restarts its hook is back by then."""

UNREACHED = "unreached"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went: ``result`` blank when it succeeded, else a word; ``tries`` beyond the first."""

    sentence: str
    result: str = ""
    tries: int = 0


def stop_asked(
    hook: Hook,
    request: StopRequest,
    secret: str,
    *,
    clock: Callable[[], datetime],
    remaining: timedelta,
    policy: BlockPolicy,
) -> Outcome:
    """Ask a trainer to stop, a few times if it must be, within the time that remains."""
    until = time.monotonic() + remaining.total_seconds()
    for further in range(policy.stop_tries):
        try:
            send_stop(hook, headers=headers(secret, request, clock()), body=request.body())
        except UnableToReachTrainer as unable:
            last = Outcome(str(unable), REFUSED if unable.permanent else UNREACHED, further)
            pause = PAUSES_SECONDS[min(further, len(PAUSES_SECONDS) - 1)]
            if unable.permanent or further + 1 == policy.stop_tries or time.monotonic() + pause > until:
                return last
            time.sleep(pause)
        else:
            return Outcome("The trainer took the stop request.", tries=further)
    return Outcome("The stop request was not sent.", UNREACHED)


def checkpoint_verified(store: CheckpointStore, where: str, stop_request: str) -> Outcome:
    """Look for the checkpoint that answers a stop request, and verify it."""
    try:
        found = store.verify(location(where), stop_request)
    except UnableToVerify as unable:
        return Outcome(str(unable), unable.trouble.value)
    except UnableToReadLocation as unable:
        return Outcome(str(unable), Trouble.CHECKPOINT_UNREADABLE.value)
    objects = "its one object has" if found.objects == 1 else f"all {found.objects} objects have"
    return Outcome(f"The checkpoint is whole: {objects} the SHA-256 of the manifest.")
