"""The search for the best plan: solve the master, pack what it says, forbid what can't be packed, and again."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np

from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.figures import figures_of, rank_of
from scheduler.domain.allocation.full.conflict import Conflict, Packer
from scheduler.domain.allocation.full.guaranteed import best_served, with_limit
from scheduler.domain.allocation.full.highs import Run, solved
from scheduler.domain.allocation.full.master import Master, Schedule, forbid, master_of, schedule_of, solution_of
from scheduler.domain.allocation.full.model import Answer
from scheduler.domain.allocation.full.sweep import Packing
from scheduler.domain.allocation.grid import Grid, empty_grid
from scheduler.domain.allocation.instance import GUARANTEED, Instance

PROVED = 1e-6
EFFORT = 20_000
MOMENT_S = 0.2
SOLVER_SHARE = 0.85
"""Of the time left, for one run of the solver: what it finds still has to be packed."""
FIRST_ITERATIONS = 1_000
SEARCH_S = 0.1
MOST_CELLS = 30_000_000
"""Of one search for orders, about, and iterations × cells of it at most: a solver may wait that long to be heard."""
MOST_RESTS, REST_S, SMALL_CELLS = 6, 0.5, 512
"""After so many searches for orders in a row that brought nothing it rests for as many times as long as one takes, at
most the first of these and the second, on no more GPUs × steps than the third: there the solver decides, and has the
processor."""

Report = Callable[[str, float, float], None]


@dataclass(frozen=True, slots=True)
class FullPlan:
    """A legal grid, what no plan is worth more than, and whether that proves it the best.

    Where real-time demand is guaranteed, no plan of least weighted shortfall; ``is_proved`` then says that the grid's
    shortfall is the least, too.
    """

    grid: Grid
    bound: float
    proved: bool


@dataclass
class Search:
    """What is known so far: the best grid, its rank, and the least bound."""

    instance: Instance
    left: Callable[[], float]
    report: Report
    grid: Grid
    bound: float
    least_shortfall: float | None = None
    rank: tuple[float, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        self.rank = rank_of(self.instance, figures_of(self.instance, self.grid))

    def offer(self, grid: Grid, phase: str) -> None:
        """Keep a grid that is better."""
        rank = rank_of(self.instance, figures_of(self.instance, grid))
        if rank > self.rank:
            self.grid, self.rank = grid, rank
            self.report(phase, self.bound, rank[-1])

    def lower(self, bound: float, phase: str) -> None:
        """Keep a bound that is less, unless the best grid refutes it: a legal grid is worth what it is worth."""
        is_refuted = self.is_served and bound < self.rank[-1] - PROVED * max(1.0, abs(bound))
        if bound < self.bound and not is_refuted:
            self.bound = bound
            self.report(phase, bound, self.rank[-1])

    @property
    def shortfall(self) -> float:
        """The weighted shortfall of the best grid, where it counts first."""
        return -self.rank[0]

    @property
    def is_served(self) -> bool:
        """Whether the best grid misses as little as can be, or that doesn't count first."""
        if self.instance.objective.realtime != GUARANTEED or not self.instance.realtime:
            return True
        return self.least_shortfall is not None and self.shortfall <= self.least_shortfall + PROVED

    @property
    def is_proved(self) -> bool:
        """Whether the best grid is proved to be one."""
        return self.is_served and self.bound - self.rank[-1] <= PROVED * abs(self.bound)

    @property
    def valid_bound(self) -> float:
        """The bound; of a grid that misses too much, which may be worth more than those that don't, well above it."""
        return self.bound if self.is_served else max(self.bound, self.rank[-1] + 10 * PROVED * abs(self.rank[-1]))


def planned(instance: Instance, warm: Grid, left: Callable[[], float], seed: int, report: Report) -> FullPlan:
    """The best plan found from ``warm`` on until it is proved or the time is over."""
    search = Search(instance, left, report, warm, certified_bound(instance).value)
    report("prices", search.bound, search.rank[-1])
    master = master_of(instance)
    if instance.objective.realtime == GUARANTEED and instance.realtime:
        master = _served_first(search, master)
    if not search.is_proved and left() > 0:
        _cut_until_packed(search, master, seed)
    return FullPlan(search.grid, search.valid_bound, search.is_proved)


def _served_first(search: Search, master: Master) -> Master:
    """Bring the best grid to the least weighted shortfall there is, and keep the master to it."""
    served = best_served(search.instance, search.left)
    if served is None:
        return master
    search.offer(served.grid, "served")
    search.least_shortfall = served.shortfall if served.is_least else None
    search.lower(certified_bound(search.instance, shortfall=served.shortfall).value, "served")
    return with_limit(master, search.instance, served)


def _cut_until_packed(search: Search, master: Master, seed: int) -> None:
    packer = Packer(search.instance, search.left)
    orders = OrderSearch(search, seed)
    while search.left() > 0 and not search.is_proved:
        answer = _solved(search, master, seed, orders)
        search.lower(answer.bound + master.constant, "master")
        if answer.x is None or search.is_proved:
            return
        schedule = schedule_of(master, search.instance, answer.x)
        outcome = packer.packed(schedule.columns, schedule.needs, EFFORT)
        if isinstance(outcome, Packing):
            search.offer(packed_grid(search.instance, schedule, outcome), "packed")
            if answer.is_closed:
                return
        elif outcome is None:
            orders.until_the_end()
            return
        else:
            _forbid_all(search, master, packer, schedule, outcome)


def _forbid_all(search: Search, master: Master, packer: Packer, schedule: Schedule, found: Conflict) -> None:
    """Forbid each conflict of a schedule, giving up the least job in it to find the next; the rest may be a plan."""
    outcome: Packing | Conflict | None = found
    while isinstance(outcome, Conflict):
        conflict = packer.smallest(outcome)
        forbid(master, search.instance, conflict)
        if not conflict.columns or search.left() <= 0:
            return
        least = min(conflict.columns, key=lambda column: column.worth).job
        kept = tuple(column for column in schedule.columns if column.job != least)
        schedule = Schedule(kept, schedule.needs)
        outcome = packer.packed(schedule.columns, schedule.needs, EFFORT)
    if isinstance(outcome, Packing):
        search.offer(packed_grid(search.instance, schedule, outcome), "packed")


def _solved(search: Search, master: Master, seed: int, orders: "OrderSearch") -> Answer:
    start = solution_of(master, search.instance, search.grid)

    def left() -> float:
        return SOLVER_SHARE * search.left()

    return solved(master.model, left=left, start=start, seed=seed, meanwhile=orders.meanwhile)


class OrderSearch:
    """Fast mode's search with more and more iterations, on the caller's thread while a solver has another."""

    def __init__(self, search: Search, seed: int) -> None:
        self.search, self.seed, self.iterations = search, seed, FIRST_ITERATIONS
        self.fruitless = 0

    def meanwhile(self, run: Run, stop: Run) -> None:
        """Runs a solver in a thread; while it takes longer than a moment, the search for orders goes on.

        It is stopped when nothing is left, which may be long before what was left when it began.
        """
        with ThreadPoolExecutor(max_workers=1) as pool:
            running = pool.submit(run)
            try:
                wait([running], timeout=MOMENT_S)
                while not running.done() and self.search.left() > 0:
                    taken = self.once()
                    wait([running], timeout=max(0.0, min(self.rests * taken, REST_S, self.search.left())))
            finally:
                stop()
            running.result()

    def until_the_end(self) -> None:
        """Goes on until the best is proved or the time is over."""
        while self.search.left() > 0 and not self.search.is_proved:
            self.once()

    @property
    def rests(self) -> int:
        """For how many times as long as it took the search stays away after what it brought lately."""
        is_small = self.search.instance.gpus * self.search.instance.steps <= SMALL_CELLS
        return min(MOST_RESTS, self.fruitless) if is_small else 0

    def once(self) -> float:
        """One search from a new seed, longer than those before, but so short that nobody waits long for its end.

        Gives the seconds it took.
        """
        self.seed += 1
        before, rank = self.search.left(), self.search.rank
        self.search.offer(fast_grid(self.search.instance, seed=self.seed, iterations=self.iterations), "orders")
        taken = before - self.search.left()
        self.fruitless = self.fruitless + 1 if self.search.rank == rank else 0
        cells = self.search.instance.gpus * self.search.instance.steps
        most = max(FIRST_ITERATIONS, MOST_CELLS // cells)
        self.iterations = min(int(self.iterations * (2 if taken < SEARCH_S else 0.7)), most)
        return taken


def packed_grid(instance: Instance, schedule: Schedule, packing: Packing) -> Grid:
    """The grid of a packed schedule."""
    grid = empty_grid(instance.gpus, instance.steps)
    for at, job in instance.batch:
        if job.running is not None:
            first, gpus = job.running.first_gpu, job.running.gpus
            grid[first : first + gpus, : job.running.remaining] = at
    for column in schedule.columns:
        first = packing.first[column.job]
        grid[first : first + column.gpus, column.start : column.end] = column.job
    labels = np.array(packing.labels, dtype=np.int64).reshape(instance.steps, instance.gpus).T
    for r, (at, _) in enumerate(instance.realtime):
        grid[labels == -1 - r] = at
    return grid
