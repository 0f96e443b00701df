"""Every threshold by which something is called worth a decision or a look, each with its reason."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Policy:
    """What an organisation may want to set otherwise; the defaults are meant to be left alone."""

    unused_for: timedelta = timedelta(minutes=60)
    """Free slots are shown once they stood so long: a node that is being replaced comes back sooner."""

    held_idle_share: Decimal = Decimal("0.15")
    """Idle with a pod ÷ known from which on it is shown: below it are pauses that any work makes."""

    held_idle_gpus: Decimal = Decimal(1)
    """And at least so many whole GPUs of a week, since less is not worth anybody's morning."""

    held_idle_told: Decimal = Decimal("0.5")
    """Idle of known pods ÷ idle with a pod from which on the pod that held most is named: below it one that nobody
    told of may have held more."""

    coverage: Decimal = Decimal("0.9")
    """Known ÷ expected below which a week is shown; thinner hours feed no recommendation either."""

    look_back_days: int = 7
    """Whole days behind a figure of a week: every weekday once, so that nights and week-ends weigh as they do."""

    ends_within: timedelta = timedelta(days=90)
    """Ends and decision dates so far ahead are shown: a quarter, in which capacity can still be bought."""

    month_after: timedelta = timedelta(days=1)
    """A month that ran for less is not shown yet, but the last full one: shares of a few hours say nothing."""

    metrics_late_after: timedelta = timedelta(hours=2, minutes=15)
    """An hour is computed five minutes after it ends, so two of them and some margin."""

    inventory_late_after: timedelta = timedelta(minutes=15)
    """EC2 is asked every five minutes, and an observation of free slots holds for ten."""


DEFAULT_POLICY = Policy()


@dataclass(frozen=True, slots=True)
class AllocationLimits:
    """How large a question to the allocator may be: what is larger is refused before anything is worked out."""

    scenario_bytes: int = 4_000_000
    """A scenario of as many jobs and cells as the others allow, written with blanks, is half as long."""

    cells: int = 250_000
    """GPUs × steps of a grid: a week of a thousand GPUs by the hour, and 1 to 2 MB to send."""

    jobs: int = 2_000
    """Beyond it checking alone takes longer than anybody waits for an answer."""

    work: int = 100_000_000
    """GPUs × steps × jobs: 1,024 × 168 × 500 fits, which is placed and searched within a second."""

    search: int = 200_000_000
    """Iterations × steps × jobs that a caller may ask for: a second or two of one processor."""

    time_limit_seconds: float = 600.0
    """A proof that took no ten minutes takes hours, and others wait for the same worker."""

    runs_of_one: int = 3
    """Runs one person may have waiting or under way: one to look at, one beside it, one that was forgotten."""

    kept_for: timedelta = timedelta(days=30)
    """An answer is fetched within the day; a month later the fleet it was about has changed."""


ONLINE_LIMITS = AllocationLimits()
"""For what is asked over the network, where others wait for the same processors."""

OWN_MACHINE_LIMITS = AllocationLimits(
    scenario_bytes=256_000_000,
    cells=20_000_000,
    jobs=100_000,
    work=200_000_000_000,
    search=200_000_000_000,
    time_limit_seconds=86_400.0,
)
"""For commands: 10,000 GPUs × 168 steps × 5,000 jobs and more, as far as the memory of a laptop goes."""


@dataclass(frozen=True, slots=True)
class ReplayPolicy:
    """How a month is replayed on other sizes; no recorded job says what it is worth, so its workload does."""

    around: int = 5
    """Sizes tried below and above today's: a renewal changes a fleet by a few nodes, more needs a case of its own."""

    coverage: Decimal = Decimal("0.9")
    """Hours whose pods are known ÷ hours of the month from which on a replay says anything; known ÷ expected likewise
    from which on one hour counts. Thinner hours feed no recommendation."""

    tolerance: Decimal = Decimal("0.01")
    """How much of today's value a packed size may lose: less than what one order of arrivals differs from another."""

    priorities: tuple[tuple[str, float], ...] = (("serving", 4.0), ("training", 2.0), ("batch", 1.0))
    """Users wait for serving, a team for its training, nobody for batch work: each twice the next, so that none is
    given up for a little more of the next. The penalty of eight counts a served user thirty-two times a batch job."""

    other_priority: float = 1.0
    """Work of no known workload is replayed as batch work: it held GPUs, and nobody said that it may not wait."""

    penalty: float = 8.0
    """What a GPU-hour of unmet real-time demand costs, in priorities; the allocator's own."""

    window_steps: int = 48
    """Hours that each plan looks ahead: two days hold every rhythm of one, and what is longer goes on behind them.
    Measured on contended months, windows of 72 and 168 hours cost more time and found less value."""

    iterations: int = 60
    """Of each plan's search: plans are made anew within the hour or two, so that more of them hardly pays."""

    asked_share: float = 2.0
    """Waiting work that a plan is told of, in GPU-hours of its window: what is more could not start within it."""

    most_nodes: int = 256
    """Nodes that are replayed at most, with those above today's: more take a worker longer than anybody waits."""

    most_jobs: int = 20_000
    """And jobs of a month: ten times what a pool of eight nodes is known to run."""


DEFAULT_REPLAY = ReplayPolicy()


@dataclass(frozen=True, slots=True)
class BlockPolicy:
    """How work is brought to safety before a block's machines are taken away."""

    unmeasured_checkpoint: timedelta = timedelta(minutes=10)
    """What a checkpoint takes of a job that measured none: all nodes write at once, so that most take less."""

    longest_checkpoint: timedelta = timedelta(hours=2)
    """Longer than any last checkpoint that could still be waited for: what is reported beyond it is in another unit, or
    meant to close the block to everybody else."""

    safety: timedelta = timedelta(minutes=10)
    """Between the slowest checkpoint and the first machine taken: time for a person to save what went wrong."""

    checkpoints_looked_at: int = 200
    """The newest measured durations that count: older ones are of a model or a cluster that has changed since."""

    shown_after_end: timedelta = timedelta(hours=24)
    """A block that is over stays to be seen for a day: what went wrong at its end is looked into the next morning."""

    looked_after_end: timedelta = timedelta(minutes=30)
    """Storage is still looked at so long after the end: an upload that was under way may yet arrive."""

    stop_tries: int = 3
    """Tries at a stop hook within one pass before it is called down; later passes go on trying."""

    stop_timeout: timedelta = timedelta(seconds=10)
    """A trainer only has to note the request: one that has not answered by then hangs."""

    verify_timeout: timedelta = timedelta(seconds=120)
    """Reading objects whose checksum storage does not know ends here, and the next pass begins anew."""

    verify_bytes: int = 64 * 2**30
    """And here: more is verified by the checksums that storage itself keeps, or not at all."""

    lease: timedelta = timedelta(seconds=90)
    """A controller that has not been heard of for so long is dead, and another takes its jobs: one pass later."""

    at_once: int = 16
    """Hooks and checkpoints attended to side by side: waiting for the network costs no processor."""


DEFAULT_BLOCK_POLICY = BlockPolicy()
