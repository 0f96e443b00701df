"""A month's replay as a whole: whether there is enough to go by, what came of it, and what was put in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256

from reservations.domain.period import HOUR_MS
from scheduler.domain.policy import DEFAULT_REPLAY, ReplayPolicy
from scheduler.domain.replay.rebuilding import rebuilt
from scheduler.domain.replay.rolling import Planner
from scheduler.domain.replay.sizes import Progress, SizeReplay, packed_nodes, replayed_sizes, sizes_around, value_floor
from scheduler.domain.replay.work import ReplayWork, UnableToReplay
from telemetry.domain.recorded import Recorded


@dataclass(frozen=True, slots=True)
class MonthAsked:
    """What is to be replayed: the due ``hours`` of the month, today's nodes, and how many GPUs each has."""

    hours: int
    current: int
    gpus_per_node: Decimal
    policy: ReplayPolicy = DEFAULT_REPLAY


@dataclass(frozen=True, slots=True)
class MonthReplayed:
    """The answer; ``packed`` None, no ``sizes`` and a ``reason`` where there is too little to go by."""

    asked: MonthAsked
    work: ReplayWork
    sizes: tuple[SizeReplay, ...]
    packed: int | None
    reason: str

    @property
    def coverage_share(self) -> Fraction:
        """Hours whose pods are known ÷ hours of the month that were due."""
        return Fraction(len(self.work.hours), self.asked.hours) if self.asked.hours else Fraction(0)

    @property
    def now(self) -> SizeReplay | None:
        """The month on today's size."""
        return next((size for size in self.sizes if size.nodes == self.asked.current), None)

    @property
    def least_value(self) -> float | None:
        """What a size has to be worth to deliver the same as today's."""
        return None if self.now is None else float(value_floor(Fraction(self.now.value), self.asked.policy))

    @property
    def rounding(self) -> "Rounding":
        """What rounding did to the work."""
        return rounding_of(self.work)


@dataclass(frozen=True, slots=True)
class Rounding:
    """GPU-hours that were recorded of jobs; that they are replayed with; and that their blocks hold."""

    recorded: Decimal
    replayed: int
    held: int


def month_replayed(
    recorded: Recorded, asked: MonthAsked, planner: Planner, progress: Progress | None = None
) -> MonthReplayed:
    """The month on today's size and around it; UnableToReplay for what no size can be told of."""
    gpus = _whole_gpus(asked.gpus_per_node)
    work = rebuilt(recorded, asked.policy.coverage)
    reason = why_not_enough(work, asked.hours, asked.policy)
    if reason:
        return MonthReplayed(asked, work, (), None, reason)
    _check_size(asked, work)
    sizes = replayed_sizes(
        work,
        sizes_around(asked.current, asked.policy),
        gpus_per_node=gpus,
        planner=planner,
        policy=asked.policy,
        progress=progress,
    )
    packed = packed_nodes(sizes, current=asked.current, policy=asked.policy)
    return MonthReplayed(asked, work, sizes, packed, "")


def why_not_enough(work: ReplayWork, hours: int, policy: ReplayPolicy) -> str:
    """Why nothing is said, blank where something can be."""
    if not hours:
        return "not enough data: no hour of the month has ended yet"
    share = Fraction(len(work.hours), hours)
    if share >= Fraction(policy.coverage):
        return ""
    known = f"the pods of {len(work.hours):,} of {hours:,} hours are known"
    return f"not enough data: {known}, which is under {policy.coverage:.0%}"


def rounding_of(work: ReplayWork) -> Rounding:
    """What rounding did to the jobs of a month."""
    return Rounding(
        recorded=Decimal(sum(job.recorded for job in work.jobs)) / HOUR_MS,
        replayed=sum(job.gpu_steps for job in work.jobs),
        held=sum(job.gpus * job.steps for job in work.jobs),
    )


def inputs_hash(work: ReplayWork, asked: MonthAsked) -> str:
    """SHA-256 of everything a replay depends on but the code, as 64 hex digits."""
    lines = [repr(asked), *(_second(hour) for hour in work.hours), repr(work.realtime), *map(repr, work.jobs)]
    return sha256("\n".join(lines).encode()).hexdigest()


def by_workload(work: ReplayWork) -> dict[str, int]:
    """GPU-hours replayed of each workload, serving's demand among them; by name."""
    sums: dict[str, int] = {}
    for job in work.jobs:
        name = job.workload or "unassigned"
        sums[name] = sums.get(name, 0) + job.gpu_steps
    if any(work.realtime):
        sums["serving"] = sum(work.realtime)
    return dict(sorted(sums.items()))


def moved_sooner(work: ReplayWork) -> Sequence[int]:
    """Hours by which each job that is known to have waited arrives before it began."""
    return [job.began - job.arrival for job in work.jobs if job.arrival < job.began]


def _whole_gpus(gpus: Decimal) -> int:
    if gpus != gpus.to_integral_value() or gpus < 1:
        raise UnableToReplay(f"a node of this pool has {gpus.normalize():f} GPUs: only whole ones can be placed on")
    return int(gpus)


def _check_size(asked: MonthAsked, work: ReplayWork) -> None:
    policy, most = asked.policy, asked.current + asked.policy.around
    if asked.current < 1:
        raise UnableToReplay("the pool holds no node now, so there is no size to replay around")
    if most > policy.most_nodes:
        raise UnableToReplay(f"up to {most:,} nodes would be replayed, and {policy.most_nodes:,} are the most")
    if len(work.jobs) > policy.most_jobs:
        raise UnableToReplay(f"the month has {len(work.jobs):,} jobs, and {policy.most_jobs:,} are replayed at most")


def _second(hour: datetime) -> str:
    return hour.isoformat()
