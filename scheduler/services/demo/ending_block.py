"""A block that ends within the hour of loading, with three jobs in different trouble.

No trainer stands behind them: what would have come of asking one is written down through the controller's own steps
(docs/end-of-block.md#in-the-demo). The controller goes on by itself, against addresses of the demo on this machine.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from reservations.domain.access import Grant, Person, Role
from reservations.domain.manual_entry import Entry
from reservations.services.manual_reservations import enter_reservation
from scheduler.domain.block_clock.manifest import location
from scheduler.domain.block_clock.registration import Duration, JobEntry, Plan
from scheduler.domain.block_clock.states import Decision, Step, Trouble
from scheduler.selectors.ending_blocks import JobRow, ending_blocks
from scheduler.services.block_clock import register_job
from scheduler.services.block_clock.acting import UNREACHED, Outcome
from scheduler.services.block_clock.recording import as_written, note_outcomes
from telemetry.sources.synthetic.store import BUCKET, DAMAGED, demo_stop_request

PREFIX = "demo-ending-"
OWNER = "research"
LOADER = Person("load_demo", (Grant(Role.ADMIN),), second_factor=True)
USABLE = timedelta(minutes=25)
ENDS = timedelta(minutes=55)
MINUTE = timedelta(minutes=1)

ACCEPTED = Outcome("Demo: written down as taken; no trainer stands behind it.")
DAMAGE = Outcome(
    "weights.bin has another SHA-256 than its manifest says: the checkpoint is damaged.", Trouble.CHECKSUM_WRONG.value
)


def load_ending_block(*, as_of: datetime, ec2_port: int) -> bool:
    """Have one such block, and say whether it had to be made: while one of them has not ended, it stands."""
    named = (block for block in ending_blocks(as_of=as_of) if block.held.external_id.startswith(PREFIX))
    if any(block.end.end_at > as_of for block in named):
        return False
    name = f"{PREFIX}{as_of:%Y%m%d%H%M}"
    number = enter_reservation(entry=_entry(name, as_of), as_of=as_of, reason="load_demo")
    hook = f"http://127.0.0.1:{ec2_port}/no-trainer-here"
    for job in _jobs(name, hook, as_of):
        register_job(entry=job, person=LOADER, as_of=as_of, by="load_demo", reach=lambda place: None)
    (block,) = ending_blocks(as_of=as_of, reservation_id=number)
    hopeless, damaged = (next(job for job in block.jobs if job.id == wanted) for wanted in ("ablation-3", "finetune-8"))
    down = Outcome(f"The stop hook at http://127.0.0.1:{ec2_port} cannot be reached.", UNREACHED, tries=2)
    _write(hopeless, Step.REQUEST_STOP, down, as_of)
    _write(damaged, Step.REQUEST_STOP, ACCEPTED, damaged.deadline)
    _write(damaged, Step.VERIFY_CHECKPOINT, DAMAGE, as_of)
    return True


def _write(job: JobRow, step: Step, outcome: Outcome, at: datetime) -> None:
    known = demo_stop_request(job.checkpoint_location) if step is Step.REQUEST_STOP else None
    note_outcomes(outcomes={as_written(job=job, step=step, at=at, step_id=known): outcome}, as_of=at)


def _entry(name: str, as_of: datetime) -> Entry:
    start = as_of - timedelta(days=3)
    return Entry(
        provider="demo",
        external_id=name,
        shape="p6-b200.48xlarge",
        gpus_per_instance=Decimal(8),
        zone_id="use1-az2",
        start_at=start,
        end_at=as_of + ENDS,
        usable_until=as_of + USABLE,
        upfront_fee=None,
        currency="",
        owner=OWNER,
        pool=None,
        sizes=((start, 4),),
    )


def _jobs(name: str, hook: str, as_of: datetime) -> Sequence[JobEntry]:
    """Its hook is down; its checkpoint is damaged; it will not finish, and has some minutes left."""
    fallback = Plan(Decision.FALL_BACK, "training-h200", "p5en.48xlarge", 2, as_of.date() - timedelta(days=9), True)
    told = (
        ("ablation-3", f"s3://{BUCKET}/{name}/ablation-3", 17, None, Plan(Decision.PAUSE)),
        ("finetune-8", f"{DAMAGED}/{name}/finetune-8", 20, as_of + timedelta(hours=2), fallback),
        ("pretrain-21", f"s3://{BUCKET}/{name}/pretrain-21", 2, as_of + timedelta(days=4), Plan(Decision.RENEW)),
    )
    return [
        JobEntry(
            reservation=name,
            job_id=job,
            owner=OWNER,
            stop_hook_url=hook,
            secret="no-secret-of-anybody",  # noqa: S106 # nosec B106
            place=location(place),
            expected_end_at=ends,
            plan=plan,
            durations=(Duration(as_of - timedelta(hours=1), minutes * 60_000),),
        )
        for job, place, minutes, ends, plan in told
    ]
