"""Blocks that end as JSON, alike in the API and from the command, and the metadata to copy onto a job."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from scheduler.domain.block_clock.states import Step
from scheduler.domain.outside_address import UnableToUseAddress, networks, outside_address
from scheduler.selectors.ending_blocks import EndingBlock, JobRow

_MILLISECOND = timedelta(milliseconds=1)
ANYWHERE = networks(["0.0.0.0/0", "::/0"])


def block_told(block: EndingBlock) -> Mapping[str, object]:
    """One block with the clock of each job on it."""
    return {
        "reservation": block.held.external_id,
        "start": block.held.start_at,
        "end": block.end.end_at,
        "usable_until": block.end.usable_until,
        "usable_until_assumed": block.end.assumed,
        "unpaid_end": block.held.unpaid_end_at,
        "no_admit_after": block.no_admit_after,
        "jobs": [job_told(block, job) for job in block.jobs],
        "will_not_finish": [job.id for job in block.will_not_finish],
        "metadata": metadata(block),
    }


def job_told(block: EndingBlock, job: JobRow) -> Mapping[str, object]:
    """One job; ``number`` is ours, and ``stop_request`` the id a final checkpoint's manifest has to name."""
    stop = next((one for one in job.steps if one.step is Step.REQUEST_STOP and one.end_at == block.end.end_at), None)
    return {
        "id": job.id,
        "number": job.number,
        "reservation": block.held.external_id,
        "owner": job.owner,
        "state": job.standing.state.value,
        "trouble": job.standing.trouble.value if job.standing.trouble else None,
        "reason": job.standing.reason,
        "checkpoint_deadline": job.deadline,
        "checkpoint_seconds": Decimal(job.checkpoint.takes // _MILLISECOND) / 1000,
        "checkpoints_measured": job.checkpoint.measured,
        "expected_end_at": job.expected_end_at,
        "will_finish": job.finishes,
        "stop_request": None if stop is None else str(stop.id),
        "stop_hook": hook_shown(job.stop_hook_url),
        "checkpoint": job.checkpoint_location,
        "decision": job.decision.value,
        "fallback_pool": job.fallback.pool,
        "fallback_instance_type": job.fallback.shape or None,
        "fallback_nodes": job.fallback.nodes,
        "resume_tested_on": job.fallback.tested_on,
        "resume_test_passed": job.fallback.passed,
        "registered_at": job.registered_at,
    }


def metadata(block: EndingBlock) -> Mapping[str, Mapping[str, str]]:
    """What to copy onto a job, so that a trainer and its scheduler know the end without asking.

    A label of Kubernetes holds no colon, so that instants stand in the basic form there.
    """
    told = {
        "end-at": block.end.end_at,
        "usable-until": block.end.usable_until,
        "no-admit-after": block.no_admit_after,
    }
    return {
        "labels": {"moorage/reservation": block.held.external_id}
        | {f"moorage/{name}": at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ") for name, at in told.items()},
        "annotations": {f"moorage/{name}": _iso(at) for name, at in told.items()},
    }


def hook_shown(url: str) -> str:
    """The origin of a hook: its path may be a secret."""
    try:
        return outside_address(url, ANYWHERE).origin
    except UnableToUseAddress:
        return ""


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
