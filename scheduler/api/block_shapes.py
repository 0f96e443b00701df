"""What jobs on ending blocks are registered with and answered as, as the description of the API says it."""

from datetime import date, datetime
from typing import Literal

from ninja import Schema
from pydantic import Field

from reservations.api.shapes import NAME, Number, PageAsked, PageTold
from scheduler.domain.block_clock.registration import MOST_DURATIONS
from scheduler.domain.block_clock.states import Decision, JobState, Trouble

LONGEST = 300


class CheckpointTaken(Schema):
    """One measured checkpoint."""

    seconds: float = Field(gt=0, examples=[84.5])
    measured_at: str | None = Field(None, max_length=40, description="an instant with offset; now without it")


class PlanAsked(Schema):
    """What is to follow the end, decided beforehand."""

    decision: Decision = Field(description="renew, fall_back or pause", examples=["fall_back"])
    fallback_pool: str | None = Field(None, max_length=LONGEST, description="the name of a pool")
    fallback_instance_type: str | None = Field(None, max_length=64, examples=["p5.48xlarge"])
    fallback_nodes: int | None = Field(None, gt=0, examples=[2])
    resume_tested_on: date | None = Field(None, description="when resuming it there was last tested")
    resume_test_passed: bool | None = None


class JobAsked(PlanAsked):
    """A job as it registers."""

    reservation: str = Field(max_length=LONGEST, description="the provider's id or ARN", examples=["cr-0aaa"])
    id: str = Field(max_length=128, description="as its own scheduler calls it", examples=["pretrain-7"])
    owner: str | None = Field(None, max_length=LONGEST, description="a team; without it, the reservation's")
    stop_hook_url: str = Field(max_length=500, examples=["https://trainer.example.com/stop"])
    stop_hook_secret: str = Field(max_length=200, description="signs each request; never answered")
    checkpoint: str = Field(max_length=1100, examples=["s3://checkpoints/pretrain-7"])
    expected_end_at: str | None = Field(None, max_length=40, description="when it ends by itself, with offset")
    checkpoint_durations: list[CheckpointTaken] = Field([], max_length=MOST_DURATIONS)


class JobReported(Schema):
    """What changed: only what is given is kept."""

    state: Literal["finished", "withdrawn"] | None = Field(None, description="it is over")
    expected_end_at: str | None = Field(None, max_length=40, description="when it ends by itself; null: unknown")
    checkpoint_durations: list[CheckpointTaken] = Field([], max_length=MOST_DURATIONS)
    plan: PlanAsked | None = Field(None, description="the whole of it, in place of what was planned")


class JobsAsked(PageAsked):
    """Which jobs."""

    reservation: str = Field("", max_length=LONGEST, pattern=NAME, description="of this reservation alone")
    state: Literal["", *(state.value for state in JobState)] = ""  # type: ignore[valid-type]


class EndingJobTold(Schema):
    """One job as it stands now."""

    id: str
    number: int = Field(description="by which it is addressed here")
    reservation: str
    owner: str
    state: JobState
    trouble: Trouble | None = Field(description="why it was escalated")
    reason: str = Field(description="one sentence")
    checkpoint_deadline: datetime = Field(description="when it has to begin its last checkpoint")
    checkpoint_seconds: Number = Field(description="99th percentile of what was measured; a default of none was")
    checkpoints_measured: int
    expected_end_at: datetime | None
    will_finish: bool = Field(description="whether it ends by itself before its deadline")
    stop_request: str | None = Field(description="the id its last checkpoint has to name, once it is asked to stop")
    stop_hook: str = Field(description="scheme, host and port")
    checkpoint: str
    decision: Decision
    fallback_pool: str | None
    fallback_instance_type: str | None
    fallback_nodes: int | None
    resume_tested_on: date | None
    resume_test_passed: bool | None
    registered_at: datetime


class JobPage(PageTold):
    rows: list[EndingJobTold]


class MetadataTold(Schema):
    """What to copy onto a job."""

    labels: dict[str, str]
    annotations: dict[str, str]


class BlockClockTold(Schema):
    """The clock of one block."""

    reservation: str
    start: datetime | None
    end: datetime
    usable_until: datetime = Field(description="when its machines begin to be taken away")
    usable_until_assumed: bool = Field(description="nobody said whether it is an UltraServer: its type decides")
    unpaid_end: datetime | None = Field(description="an end that does not count: its extension is not paid")
    no_admit_after: datetime = Field(description="nothing that cannot finish is to be started after it")
    jobs: list[EndingJobTold]
    will_not_finish: list[str] = Field(description="ids of the jobs that do not end by themselves in time")
    metadata: MetadataTold
