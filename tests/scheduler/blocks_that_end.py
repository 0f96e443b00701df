"""Blocks and jobs for tests of what happens before a block's machines are taken."""

from datetime import UTC, datetime, timedelta
from typing import Any

from reservations.models import Owner, Reservation
from reservations.services.sealed import sealed
from scheduler.models import CheckpointDuration, EndingJob

END = datetime(2026, 6, 10, 11, 30, tzinfo=UTC)
USABLE = END - timedelta(minutes=30)
UNMEASURED = USABLE - timedelta(minutes=20)  # ten of the default checkpoint, ten of safety
SECRET = "a secret of the trainer"


def block(name: str = "cr-0b10c", owner: str = "research", **told: Any) -> Reservation:
    team, _ = Owner.objects.get_or_create(name=owner)
    fields = {
        "arn": f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/{name}",
        "external_id": name,
        "kind": "block",
        "state": "active",
        "state_raw": "active",
        "shape": "p5.48xlarge",
        "region": "us-east-1",
        "total_count": 4,
        "start_at": END - timedelta(days=7),
        "end_at": END,
        "usable_until": USABLE,
        "ends_terminate_instances": True,
        "first_seen_at": END - timedelta(days=9),
        "last_seen_at": END - timedelta(hours=3),
        "owner": team,
    }
    return Reservation.objects.create(**fields | told)


def job(on: Reservation, name: str = "run-1", *, measured: tuple[int, ...] = (), **told: Any) -> EndingJob:
    """``measured``: durations of its checkpoints in whole seconds, the newest first."""
    fields = {
        "reservation": on,
        "job_id": name,
        "owner": on.owner,
        "stop_hook_url": "http://127.0.0.1:9/stop",
        "stop_hook_secret": sealed(SECRET),
        "checkpoint_location": f"s3://checkpoints/{name}",
        "decision": "pause",
        "registered_at": END - timedelta(days=1),
        "changed_at": END - timedelta(days=1),
    }
    made = EndingJob.objects.create(**fields | told)
    CheckpointDuration.objects.bulk_create(
        CheckpointDuration(job=made, measured_at=END - timedelta(days=2, minutes=place), took_ms=seconds * 1000)
        for place, seconds in enumerate(measured)
    )
    return made


def stands(row: EndingJob) -> tuple[str, str]:
    """Its state and trouble as they are kept."""
    row.refresh_from_db()
    return row.state, row.trouble
