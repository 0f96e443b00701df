"""The changes that the search tries: jobs moved in the order, in front of the real-time jobs, or to another size."""

from scheduler.domain.allocation.fast.blocks import Words
from scheduler.domain.allocation.fast.chance import drawn
from scheduler.domain.allocation.fast.compiling import inlined, linked
from scheduler.domain.allocation.fast.decode import ANY, AROUND, CHOICE, MODE, RELEASE, START, Sequence, worth_of
from scheduler.domain.allocation.fast.question import (
    ARRIVAL,
    LENGTH,
    LEVEL,
    MODE_FROM,
    MODE_TO,
    Batch,
    Elastic,
    Floats,
    Ints,
)

PROMOTE, RELOCATE, SWAP, CYCLE, FORCE, RELEASED, RESIZE, ELASTIC = 0, 1, 2, 3, 4, 5, 6, 7
NOTHING = (0, 0)


@linked
def changed(
    batch: Batch, elastic: Elastic, here: Sequence, trial: Sequence, hopes: Floats, slack: Ints, habits: Ints,
    state: Words, is_wide: bool,
) -> tuple[int, int]:  # fmt: skip
    """Changes ``trial``, equal to ``here``, at random; gives the first entry changed and the one after the last.

    ``habits``: how many of 1,024 draws are below each kind of change and those before it.
    """
    marker, entries = _marker(trial), trial.order.size
    kind = _kind(habits, state)
    if kind == FORCE and marker >= 0:
        return _forced(batch, elastic, here, trial, marker, slack, state)
    if kind == RELEASED and marker > 0:
        source = drawn(state, marker)
        if trial.jobs[trial.order[source], RELEASE] == AROUND:
            return NOTHING
        trial.jobs[trial.order[source], RELEASE] = AROUND
        return source, source + 1
    if kind == ELASTIC and elastic.jobs.shape[0] > 1:
        rows = trial.elastic_order
        one, other = drawn(state, rows.size), drawn(state, rows.size)
        rows[one], rows[other] = rows[other], rows[one]
        return (marker, entries) if one != other else NOTHING
    if kind == RESIZE and batch.modes.shape[0] > batch.jobs.shape[0]:
        return _resized(batch, trial, state)
    low = marker + 1 if is_wide else 0
    if entries - low < 2:
        return NOTHING
    return _reordered(batch, here, trial.order, hopes, kind, low, state)


@inlined
def _marker(plan: Sequence) -> int:
    """The entry of the real-time jobs; −1 where there are none."""
    at = plan.order.size - 1
    while at >= 0 and plan.order[at] != plan.jobs.shape[0]:
        at -= 1
    return at


@inlined
def _kind(habits: Ints, state: Words) -> int:
    kind, draw = 0, drawn(state, 1024)
    while kind < habits.size and draw >= habits[kind]:
        kind += 1
    return kind


@inlined
def _reordered(
    batch: Batch, here: Sequence, order: Ints, hopes: Floats, kind: int, low: int, state: Words
) -> tuple[int, int]:
    """Moves, swaps or rotates entries from ``low`` on."""
    number = order.size - low
    one, other = low + drawn(state, number), low + drawn(state, number)
    if kind == SWAP:
        if one == other:
            return NOTHING
        order[one], order[other] = order[other], order[one]
        return min(one, other), max(one, other) + 1
    if kind == CYCLE:
        third = low + drawn(state, number)
        if one == other or third in (one, other):
            return NOTHING
        order[one], order[other], order[third] = order[other], order[third], order[one]
        return min(one, other, third), max(one, other, third) + 1
    if kind == RELOCATE:
        return moved(order, one, other)
    if loss_of(batch, here, hopes, order[one]) < loss_of(batch, here, hopes, order[other]):
        one = other
    return moved(order, one, low + drawn(state, one - low)) if one > low else NOTHING


@inlined
def _forced(
    batch: Batch, elastic: Elastic, here: Sequence, trial: Sequence, marker: int, slack: Ints, state: Words
) -> tuple[int, int]:
    """Puts a job in front of the real-time jobs, released earlier than it starts: it may take GPUs they want."""
    source = drawn(state, trial.order.size)
    job = trial.order[source]
    if job == trial.jobs.shape[0]:
        return NOTHING
    arrival, upto = batch.jobs[job, ARRIVAL], here.jobs[job, START]
    if upto < 0:
        upto = batch.weight_sums.size - 1
    if upto <= arrival:
        return NOTHING
    best, release = 0.0, -1
    for _ in range(3):
        start = arrival + drawn(state, upto - arrival)
        net = _net_worth(batch, elastic, slack, job, start)
        if release < 0 or net > best:
            best, release = net, start
    if source < marker and trial.jobs[job, RELEASE] == release:
        return NOTHING
    trial.jobs[job, RELEASE] = release
    if source < marker:
        return source, trial.order.size
    return moved(trial.order, source, drawn(state, marker + 1))


@linked
def front(batch: Batch, elastic: Elastic, plan: Sequence, slack: Ints, job: int, other: int) -> None:
    """Puts two jobs, or one that is both, in front of all, released where they earn most net of what they take.

    The first where it does alone, the other beside it, and the first again beside that: neither may find the start
    that is best for both by itself.
    """
    release = _best_release(batch, elastic, slack, job)
    if other != job:
        _lend(batch, slack, job, release, 1)
        beside = _best_release(batch, elastic, slack, other)
        _lend(batch, slack, job, release, -1)
        _lend(batch, slack, other, beside, 1)
        release = _best_release(batch, elastic, slack, job)
        _lend(batch, slack, other, beside, -1)
        if beside < release:
            job, other, release, beside = other, job, beside, release
        _bring_forward(plan, other, beside)
    _bring_forward(plan, job, release)


@inlined
def _best_release(batch: Batch, elastic: Elastic, slack: Ints, job: int) -> int:
    best, release = 0.0, AROUND
    for start in range(batch.jobs[job, ARRIVAL], batch.weight_sums.size - 1):
        net = _net_worth(batch, elastic, slack, job, start)
        if net > best:
            best, release = net, start
    return release


@inlined
def _lend(batch: Batch, slack: Ints, job: int, start: int, sign: int) -> None:
    """Takes the GPUs of a job that starts then from what is free beside the real-time jobs; gives them back for −1."""
    mode = batch.jobs[job, MODE_FROM]
    if start >= 0:
        for step in range(start, min(start + batch.modes[mode, LENGTH], slack.size)):
            slack[step] -= sign << batch.modes[mode, LEVEL]


@inlined
def _bring_forward(plan: Sequence, job: int, release: int) -> None:
    source = 0
    while plan.order[source] != job:
        source += 1
    plan.jobs[job, RELEASE] = release
    moved(plan.order, source, 0)


@inlined
def _net_worth(batch: Batch, elastic: Elastic, slack: Ints, job: int, start: int) -> float:
    """What a job earns from ``start`` on, less the least penalty for the GPUs it takes from real-time jobs."""
    mode, penalty = batch.jobs[job, MODE_FROM], elastic.penalty[0]
    for row in range(1, elastic.penalty.size):
        penalty = min(penalty, elastic.penalty[row])
    lacking = 0
    for step in range(start, min(start + batch.modes[mode, LENGTH], slack.size)):
        lacking += max(0, (1 << batch.modes[mode, LEVEL]) - slack[step])
    return worth_of(batch, mode, start) - penalty * lacking


@inlined
def _resized(batch: Batch, trial: Sequence, state: Words) -> tuple[int, int]:
    """Fixes a moldable job's size, or leaves it open again."""
    at = drawn(state, trial.order.size)
    job = trial.order[at]
    if job == trial.jobs.shape[0]:
        return NOTHING
    sizes = batch.jobs[job, MODE_TO] - batch.jobs[job, MODE_FROM]
    choice = batch.jobs[job, MODE_FROM] + drawn(state, sizes + 1)
    if choice == batch.jobs[job, MODE_TO]:
        choice = ANY
    if sizes < 2 or trial.jobs[job, CHOICE] == choice:
        return NOTHING
    trial.jobs[job, CHOICE] = choice
    return at, at + 1


@inlined
def moved(order: Ints, source: int, target: int) -> tuple[int, int]:
    """Moves an entry, and gives the first one changed and the one after the last."""
    if source == target:
        return NOTHING
    item = order[source]
    for at in range(source, target):
        order[at] = order[at + 1]
    for at in range(source, target, -1):
        order[at] = order[at - 1]
    order[target] = item
    return min(source, target), max(source, target) + 1


@inlined
def loss_of(batch: Batch, plan: Sequence, hopes: Floats, job: int) -> float:
    """What a job would earn alone, less what it earns."""
    if job == plan.jobs.shape[0]:
        return 0.0
    if plan.jobs[job, START] < 0:
        return hopes[job]
    return hopes[job] - worth_of(batch, plan.jobs[job, MODE], plan.jobs[job, START])
