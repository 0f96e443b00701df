"""The demo fleet's story: which pools there are, and what befell them, told relative to the day it was loaded.

Everything is a function of a seed, an anchor day and an instant, so that what is collected next week
continues the world that was back-filled today. Times are whole milliseconds since 1970; everything that
happens, happens on the five-minute grid that EC2 is polled on.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property, lru_cache

from reservations.domain.period import epoch_ms, from_epoch_ms
from telemetry.domain.sample import UnableToFetch

MINUTE_MS = 60_000
GRID_MS = 5 * MINUTE_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
WEEK_MS = 7 * DAY_MS

REGION = "us-east-1"
ACCOUNT_ID = "111122223333"
GPUS_PER_NODE = 8
MONTHS_OF_PAST = 13

Span = tuple[int, int]

BLOCKS = ((-340, 21), (-215, 14), (-110, 28), (-65, 28), (-30, 14), (2, 21), (37, 28))
"""(day on which it ends, length in days), relative to the anchor: one ends this week, one is bought already.

Any quarter of whole months up to now has four weeks of them, so that a size can be told.
"""


@dataclass(frozen=True, slots=True)
class QueueStory:
    """A ClusterQueue on a pool; ``nominal_share`` is its nominal quota as a share of the pool's reserved GPUs."""

    name: str
    team: str
    workload: str
    nominal_share: float


@dataclass(frozen=True, slots=True, eq=False)
class PoolStory:
    """What never changes about a pool, of which there is one object each; ``habit`` names how its work looks."""

    name: str
    habit: str
    instance_type: str
    model: str
    flavor: str
    zone_id: str
    zone_name: str
    matching: str
    queues: tuple[QueueStory, ...]


SERVING = PoolStory(
    "serving-h100", "serving", "p5.48xlarge", "NVIDIA H100 80GB HBM3", "h100", "use1-az4", "us-east-1a", "targeted",
    (QueueStory("serving", "serving", "serving", 0.9), QueueStory("research-batch", "research", "batch", 0.0)),
)  # fmt: skip
TRAINING = PoolStory(
    "training-h200", "training", "p5en.48xlarge", "NVIDIA H200", "h200", "use1-az6", "us-east-1c", "targeted",
    (QueueStory("pretrain", "research", "training", 0.66667), QueueStory("evals", "platform", "batch", 0.33333)),
)  # fmt: skip
SPRINT = PoolStory(
    "sprint-b200", "sprint", "p6-b200.48xlarge", "NVIDIA B200", "b200", "use1-az2", "us-east-1b", "targeted",
    (QueueStory("sprint", "research", "training", 1.0),),
)  # fmt: skip
NOTEBOOKS = PoolStory(
    "notebooks-a100", "notebooks", "p4d.24xlarge", "NVIDIA A100-SXM4-40GB", "a100", "use1-az4", "us-east-1a", "open",
    (QueueStory("notebooks", "platform", "batch", 0.5),),
)  # fmt: skip
TRIAL = PoolStory(
    "l40s-trial", "forgotten", "g6e.48xlarge", "NVIDIA L40S", "l40s", "use1-az6", "us-east-1c", "open", ()
)  # fmt: skip
POOLS: tuple[PoolStory, ...] = (SERVING, TRAINING, SPRINT, NOTEBOOKS)


@dataclass(frozen=True, slots=True, eq=False)
class Promise:
    """One reservation: ``sizes`` are (from, instances) in order; ``end_ms`` None is open."""

    key: str
    pool: PoolStory
    sizes: tuple[tuple[int, int], ...]
    start_ms: int
    end_ms: int | None = None
    usable_until_ms: int | None = None
    block: bool = False

    def size_at(self, at_ms: int) -> int:
        """Instances promised at an instant, 0 before its start and from its end on."""
        if at_ms < self.start_ms or (self.end_ms is not None and at_ms >= self.end_ms):
            return 0
        return next(count for since, count in reversed(self.sizes) if since <= at_ms)


_URL = re.compile(r"synthetic://(?P<seed>\d{1,9})/(?P<anchor>\d{4}-\d{2}-\d{2})", re.ASCII)


@dataclass(frozen=True, eq=False)
class World:
    """One demo fleet: everything about it follows from these two. ``anchor`` is the UTC day it was loaded.

    Compared by identity, because it is a key of every cache: get one from ``world_at``.
    """

    seed: int
    anchor: date

    @property
    def url(self) -> str:
        """The address under which a metrics source finds this world again."""
        return f"synthetic://{self.seed}/{self.anchor.isoformat()}"

    @property
    def anchor_ms(self) -> int:
        """Midnight that the anchor day begins with."""
        return epoch_ms(datetime.combine(self.anchor, time(), tzinfo=UTC))

    def day_ms(self, days: float, hours: float = 0) -> int:
        """The instant that many days and hours after the anchor's midnight."""
        return self.anchor_ms + round(days * DAY_MS + hours * HOUR_MS)

    @cached_property
    def began_ms(self) -> int:
        """The first of the month thirteen before the anchor’s, so that the fleet fills fourteen."""
        months = self.anchor.year * 12 + self.anchor.month - 1 - MONTHS_OF_PAST
        return epoch_ms(datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC))

    @cached_property
    def resized_ms(self) -> int:
        """When the serving reservation grew in mid-month: the latest 11th that lies four days back or more."""
        latest = self.anchor - timedelta(days=4)
        month = latest if latest.day >= 11 else latest.replace(day=1) - timedelta(days=1)
        return epoch_ms(datetime(month.year, month.month, 11, 10, 20, tzinfo=UTC))

    @cached_property
    def promises(self) -> tuple[Promise, ...]:
        """Every reservation this world ever had or will have, in order of pools and starts."""
        began = self.began_ms
        return (
            Promise("serving", SERVING, ((began, 6), (self.day_ms(-240), 8), (self.resized_ms, 10)), began),
            Promise("training", TRAINING, ((began, 4), (self.day_ms(-150), 6)), began, self.day_ms(76, 15)),
            *(self._block(end, days) for end, days in BLOCKS),
            Promise("notebooks", NOTEBOOKS, ((began, 6), (self.day_ms(-200), 10)), began),
            self._forgotten,
        )

    @property
    def _forgotten(self) -> Promise:
        """Reserved for a trial seven weeks ago, in no configuration, and nobody launches into it."""
        since = self.day_ms(-47, 9.5)
        return Promise("trial", TRIAL, ((since, 2),), since)

    def _block(self, end_day: int, days: int) -> Promise:
        """A block bills to 11:30 UTC and works until half an hour before."""
        start, end = self.day_ms(end_day - days, 11.5), self.day_ms(end_day, 11.5)
        return Promise(f"block{end_day}", SPRINT, ((start, 4),), start, end, end - 30 * MINUTE_MS, block=True)

    def promises_of(self, pool: PoolStory) -> tuple[Promise, ...]:
        """The reservations that back a pool."""
        return tuple(promise for promise in self.promises if promise.pool is pool)

    @cached_property
    def exporters_silent(self) -> Span:
        """No exporter in the fleet answered; kube-state-metrics did."""
        return self.day_ms(-12, 13), self.day_ms(-12, 16)

    @cached_property
    def source_dark(self) -> Span:
        """The metrics engine stored nothing at all."""
        return self.day_ms(-19, 3), self.day_ms(-19, 6)

    @cached_property
    def quota_gap(self) -> Span:
        """Kueue's controller was down, and with it its metrics."""
        return self.day_ms(-9, 2), self.day_ms(-9, 4)

    @cached_property
    def node_silent(self) -> tuple[PoolStory, int, Span]:
        """The exporter of one node hung for half a day."""
        return SERVING, 3, (self.day_ms(-6, 9), self.day_ms(-6, 20))

    @cached_property
    def counter_stuck(self) -> tuple[PoolStory, int, int, Span]:
        """One GPU (pool, seat, number) whose activity counter stood at 0, whatever it did."""
        return TRAINING, 1, 5, (self.day_ms(-2, 6), self.day_ms(-1, 18))

    @cached_property
    def going_on(self) -> Span:
        """What is wrong as the fleet is loaded, whatever the hour, and for two days more."""
        return self.day_ms(-1, 20), self.day_ms(2, 12)

    @property
    def counter_stuck_now(self) -> tuple[PoolStory, int, int, Span]:
        """One GPU (pool, seat, number) whose counter stands at 0 now."""
        return TRAINING, 2, 3, self.going_on

    @property
    def nodes_silent_now(self) -> tuple[PoolStory, tuple[int, ...], Span]:
        """Three of the four nodes of the sprint have exporters that say nothing."""
        return SPRINT, (0, 1, 2), self.going_on

    @property
    def node_lost_now(self) -> tuple[PoolStory, int, Span]:
        """One node whose device plugin is gone: EC2 has it, the cluster has not."""
        return SERVING, 5, self.going_on

    @cached_property
    def node_failed(self) -> tuple[PoolStory, int, Span]:
        """One node lost its device plugin and left the cluster, while EC2 still had it."""
        return TRAINING, 4, (self.day_ms(-4, 17), self.day_ms(-3, 2))


@lru_cache(maxsize=16)
def world_at(url: str) -> World:
    """The world behind a source's address; UnableToFetch when it is not written ``synthetic://seed/YYYY-MM-DD``."""
    match = _URL.fullmatch(url)
    try:
        return World(int(match["seed"]), date.fromisoformat(match["anchor"]))  # type: ignore[index]
    except (TypeError, ValueError) as error:
        raise UnableToFetch(
            f"“{url}” is no demo fleet: write it as synthetic://7/2026-11-30", permanent=True
        ) from error


def pool_named(name: str) -> PoolStory:
    """The pool of that name; UnableToFetch when the demo fleet has none."""
    for pool in POOLS:
        if pool.name == name:
            return pool
    names = ", ".join(pool.name for pool in POOLS)
    raise UnableToFetch(f"the demo fleet has no pool “{name}”, only {names}", permanent=True)


def instant(ms: int) -> datetime:
    """The UTC instant of milliseconds since 1970."""
    return from_epoch_ms(ms)
