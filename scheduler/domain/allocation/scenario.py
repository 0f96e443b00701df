"""A scenario, the file form of an instance: read and checked, written, and what it should be warned of."""

from dataclasses import replace
from fractions import Fraction

from scheduler.domain.allocation.inherited import check_inherited
from scheduler.domain.allocation.instance import (
    ALIGNED,
    CONTIGUOUS,
    GUARANTEED,
    REALTIME,
    WEIGHTED,
    BatchJob,
    Instance,
    Job,
    Mode,
    Objective,
    RealtimeJob,
)
from scheduler.domain.allocation.scenario_fields import (
    MOST,
    IllegalScenario,
    choice,
    fields,
    listed,
    number,
    shown,
    whole,
    wholes,
)
from scheduler.domain.allocation.scenario_jobs import fleet_of, job_of

__all__ = ["IllegalScenario", "instance_of", "scenario_of", "warnings_of"]

OWNER = "The scenario"
NEEDED, OPTIONAL = ("gpus", "steps", "jobs"), ("step_minutes", "blocks", "nodes", "objective")
OBJECTIVE = ("half_life_steps", "realtime_penalty", "realtime")
LEAST_PENALTY, MOST_PENALTY = 5.0, 10.0


def instance_of(scenario: object) -> Instance:
    """The instance that a scenario (docs/allocator.md, as JSON gives it) describes; every instance has a legal grid.

    Whole numbers are whole (3.0 is not), and a field nobody knows is taken for a slip of the pen. Raises
    IllegalScenario with one sentence that names the job and the field.
    """
    given = fields(OWNER, scenario, NEEDED, OPTIONAL)
    empty = _empty(given)
    fleet = fleet_of(empty)
    jobs: list[Job] = []
    places: dict[str, int] = {}
    for place, raw in enumerate(listed(OWNER, "jobs", given["jobs"])):
        job = job_of(place, raw, fleet)
        if job.id in places:
            raise IllegalScenario(f'Job "{job.id}": "id" is that of job {places[job.id] + 1} of the file as well.')
        places[job.id] = place
        jobs.append(job)
    instance = replace(empty, jobs=tuple(jobs))
    check_inherited(instance)
    return instance


def _empty(given: dict[str, object]) -> Instance:
    """The instance without its jobs."""
    gpus = whole(OWNER, "gpus", given["gpus"], 1)
    steps = whole(OWNER, "steps", given["steps"], 1)
    return Instance(
        gpus=gpus,
        steps=steps,
        jobs=(),
        objective=_objective(given.get("objective", {}), steps),
        step_minutes=number(OWNER, "step_minutes", given.get("step_minutes", 60)),
        blocks=choice(OWNER, "blocks", given.get("blocks", ALIGNED), (ALIGNED, CONTIGUOUS)),
        nodes=_nodes(given["nodes"], gpus) if "nodes" in given else (),
    )


def _nodes(raw: object, gpus: int) -> tuple[int, ...]:
    nodes = wholes(OWNER, "nodes", raw, 1, gpus)
    if sum(nodes) != gpus:
        raise IllegalScenario(f'{OWNER}: "nodes" add up to {sum(nodes):,} GPUs, and "gpus" is {gpus:,}.')
    return nodes


def _objective(raw: object, steps: int) -> Objective:
    owner = 'The scenario, "objective"'
    given = fields(owner, raw, (), OBJECTIVE)
    half_life = given.get("half_life_steps", steps / 2)
    return Objective(
        half_life_steps=None if half_life is None else number(owner, "half_life_steps", half_life),
        realtime_penalty=number(
            owner, "realtime_penalty", given.get("realtime_penalty", 8), LEAST_PENALTY, MOST_PENALTY
        ),
        realtime=choice(owner, "realtime", given.get("realtime", WEIGHTED), (WEIGHTED, GUARANTEED)),
    )


def scenario_of(instance: Instance) -> dict[str, object]:
    """The scenario that ``instance_of`` reads as ``instance``, ready for JSON."""
    scenario: dict[str, object] = {
        "gpus": instance.gpus,
        "steps": instance.steps,
        "step_minutes": _plain(instance.step_minutes),
        "blocks": instance.blocks,
    }
    if instance.nodes:
        scenario["nodes"] = list(instance.nodes)
    half_life = instance.objective.half_life_steps
    scenario["objective"] = {
        "half_life_steps": None if half_life is None else _plain(half_life),
        "realtime_penalty": _plain(instance.objective.realtime_penalty),
        "realtime": instance.objective.realtime,
    }
    scenario["jobs"] = [
        _batch_scenario(job) if isinstance(job, BatchJob) else _realtime_scenario(job) for job in instance.jobs
    ]
    return scenario


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _batch_scenario(job: BatchJob) -> dict[str, object]:
    raw: dict[str, object] = {"id": job.id, "type": job.type, "priority": _plain(job.priority)}
    if job.running is None:
        raw |= {"arrival": job.arrival, "sizes": {str(mode.gpus): mode.steps for mode in job.modes}}
    else:
        held = job.running
        raw["running"] = {"first_gpu": held.first_gpu, "gpus": held.gpus, "remaining": held.remaining}
        if job.modes[0].paid_share < 1:
            raw["sizes"] = _sizes_that_pay(job.modes[0])
    if job.latest_end is not None:
        raw["latest_end"] = job.latest_end
    return raw


def _sizes_that_pay(mode: Mode) -> dict[str, int]:
    """Sizes of which the one of ``mode`` counts ``mode.paid_share``.

    share × GPUs = P ÷ steps, of which the closest fraction rounds to the same float; P is then a size smaller than
    ``mode``'s times its steps, or that of 2 GPUs where the block is one GPU.
    """
    product = Fraction(mode.paid_share * mode.gpus).limit_denominator(MOST if mode.gpus > 1 else MOST // 2)
    least, steps = product.numerator, product.denominator
    if mode.gpus > 1:
        other = min(least & -least, mode.gpus // 2)
        return {str(other): least // other, str(mode.gpus): steps}
    return {"1": 2 * steps, "2": least}


def _realtime_scenario(job: RealtimeJob) -> dict[str, object]:
    raw: dict[str, object] = {
        "id": job.id,
        "type": REALTIME,
        "priority": _plain(job.priority),
        "demand": list(job.demand),
        "swap_cap": job.swap_cap,
    }
    if any(job.floor):
        raw["floor"] = list(job.floor)
    if job.inherited is not None:
        raw["running"] = {"gpus": sorted(job.inherited)}
    return raw


def warnings_of(instance: Instance) -> tuple[str, ...]:
    """One sentence for each thing that is legal and may surprise: real-time work outbid, swap caps of 0 and 1."""
    return tuple(
        sentence
        for _, job in instance.realtime
        for sentence in (_outbid(instance, job), _swap_cap_warning(job))
        if sentence is not None
    )


def _outbid(instance: Instance, job: RealtimeJob) -> str | None:
    waiting = (other for _, other in instance.batch if other.running is None)
    dearest = max(waiting, key=lambda other: other.priority, default=None)
    worth = instance.objective.realtime_penalty * job.priority
    if dearest is None or instance.objective.realtime == GUARANTEED or worth >= dearest.priority:
        return None
    return (
        f'Job "{job.id}": a missing GPU costs {worth:g} a step, less than the {dearest.priority:g} that job '
        f"{shown(dearest.id)} earns with one, so its demand may be shed for that job."
    )


def _swap_cap_warning(job: RealtimeJob) -> str | None:
    if job.swap_cap == 0 and (len(set(job.demand)) > 1 or job.inherited is not None):
        return f'Job "{job.id}": a swap cap of 0 keeps it on the same GPUs at every step.'
    if job.swap_cap == 1:
        return f'Job "{job.id}": a swap cap of 1 lets it grow or shrink by one GPU a step, but never change one.'
    return None
