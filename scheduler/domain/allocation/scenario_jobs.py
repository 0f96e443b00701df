"""One job of a scenario, read from its file form."""

from collections.abc import Mapping
from dataclasses import dataclass

from scheduler.domain.allocation.instance import BATCH_TYPES, REALTIME, BatchJob, Held, Instance, Job, Mode, RealtimeJob
from scheduler.domain.allocation.scenario_fields import IllegalScenario, choice, fields, number, shown, whole, wholes

LONGEST_ID = 100
REALTIME_NEEDED, REALTIME_OPTIONAL = ("id", "type", "priority", "demand", "swap_cap"), ("floor", "running")
QUEUED_NEEDED, QUEUED_OPTIONAL = ("id", "type", "priority", "arrival", "sizes"), ("latest_end", "running")
RUNNING_NEEDED, RUNNING_OPTIONAL = ("id", "type", "priority", "running"), ("arrival", "sizes", "latest_end")


@dataclass(frozen=True, slots=True)
class Fleet:
    """What the jobs of a file must fit into: so many GPUs and steps, and the block sizes that have a place at all."""

    gpus: int
    steps: int
    sizes: frozenset[int]


def fleet_of(instance: Instance) -> Fleet:
    """The fleet of an instance."""
    powers = (1 << log for log in range(instance.gpus.bit_length()))
    placed = frozenset(size for size in powers if next(instance.block_starts(size), None) is not None)
    return Fleet(instance.gpus, instance.steps, placed)


def job_of(place: int, raw: object, fleet: Fleet) -> Job:
    """The job that stands at ``place`` of the file; raises IllegalScenario."""
    unnamed = f"Job {place + 1} of the file"
    if not isinstance(raw, Mapping):
        raise IllegalScenario(f"{unnamed}: is {shown(raw)}, where an object is due.")
    for name in ("id", "type"):
        if name not in raw:
            raise IllegalScenario(f'{unnamed}: "{name}" is missing.')
    owner = f'Job "{_checked_id(unnamed, raw["id"])}"'
    kind = choice(owner, "type", raw["type"], (*BATCH_TYPES, REALTIME))
    if kind == REALTIME:
        return _realtime_job(owner, fields(owner, raw, REALTIME_NEEDED, REALTIME_OPTIONAL), fleet)
    if "running" in raw:
        return _running_job(owner, fields(owner, raw, RUNNING_NEEDED, RUNNING_OPTIONAL), fleet)
    return _queued_job(owner, fields(owner, raw, QUEUED_NEEDED, QUEUED_OPTIONAL), fleet)


def _checked_id(unnamed: str, value: object) -> str:
    if not isinstance(value, str):
        raise IllegalScenario(f'{unnamed}: "id" is {shown(value)}, where a text is due.')
    if not 0 < len(value) <= LONGEST_ID or not value.strip() or not value.isprintable():
        raise IllegalScenario(
            f'{unnamed}: "id" is {shown(value)}, where 1 to {LONGEST_ID} printable characters are due.'
        )
    return value


def _queued_job(owner: str, raw: dict[str, object], fleet: Fleet) -> BatchJob:
    return BatchJob(
        id=str(raw["id"]),
        type=str(raw["type"]),
        priority=number(owner, "priority", raw["priority"]),
        arrival=whole(owner, "arrival", raw["arrival"], 0),
        modes=_modes(owner, raw["sizes"], fleet),
        latest_end=_latest_end(owner, raw),
    )


def _running_job(owner: str, raw: dict[str, object], fleet: Fleet) -> BatchJob:
    held = _held(owner, raw["running"], fleet)
    if whole(owner, "arrival", raw.get("arrival", 0), 0) > 0:
        raise IllegalScenario(f'{owner}: "arrival" is {shown(raw["arrival"])}, but it is running already.')
    latest_end = _latest_end(owner, raw)
    if latest_end is not None and held.remaining > latest_end:
        raise IllegalScenario(
            f'{owner}: "remaining" is {held.remaining:,} steps, which its "latest_end" of {latest_end:,} cannot hold.'
        )
    shares = {}
    if "sizes" in raw:
        shares = {mode.gpus: mode.paid_share for mode in _modes(owner, raw["sizes"], fleet)}
    return BatchJob(
        id=str(raw["id"]),
        type=str(raw["type"]),
        priority=number(owner, "priority", raw["priority"]),
        arrival=0,
        modes=(Mode(held.gpus, held.remaining, shares.get(held.gpus, 1.0)),),
        latest_end=latest_end,
        running=held,
    )


def _held(owner: str, raw: object, fleet: Fleet) -> Held:
    where = f'{owner}, "running"'
    given = fields(where, raw, ("first_gpu", "gpus", "remaining"))
    gpus = whole(where, "gpus", given["gpus"], 1, fleet.gpus)
    if gpus & (gpus - 1):
        raise IllegalScenario(f'{where}: "gpus" is {gpus:,}, where a power of two is due.')
    return Held(
        first_gpu=whole(where, "first_gpu", given["first_gpu"], 0, fleet.gpus - gpus),
        gpus=gpus,
        remaining=whole(where, "remaining", given["remaining"], 1),
    )


def _latest_end(owner: str, raw: dict[str, object]) -> int | None:
    return whole(owner, "latest_end", raw["latest_end"], 0) if "latest_end" in raw else None


def _modes(owner: str, raw: object, fleet: Fleet) -> tuple[Mode, ...]:
    """One mode a size, smallest first; a cell of each counts P ÷ (GPUs × steps), P the smallest such product."""
    if not isinstance(raw, Mapping) or not raw:
        given = "an empty object" if isinstance(raw, Mapping) else shown(raw)
        raise IllegalScenario(f'{owner}: "sizes" is {given}, where an object of GPUs and their steps is due.')
    steps = {_size(owner, name, fleet): whole(owner, f"sizes[{name}]", value, 1) for name, value in raw.items()}
    least = min(gpus * length for gpus, length in steps.items())
    return tuple(Mode(gpus, length, least / (gpus * length)) for gpus, length in sorted(steps.items()))


def _size(owner: str, name: object, fleet: Fleet) -> int:
    is_plain = isinstance(name, str) and name.isascii() and name.isdigit() and not name.startswith("0")
    size = int(name) if isinstance(name, str) and is_plain and len(name) < 20 else 0
    if size == 0 or size & (size - 1):
        raise IllegalScenario(f'{owner}: "sizes" names {shown(name)}, where a power of two such as "4" is due.')
    if size > fleet.gpus:
        raise IllegalScenario(f'{owner}: "sizes" names a block of {size:,}, and there are {fleet.gpus:,} GPUs.')
    if size not in fleet.sizes:
        raise IllegalScenario(f'{owner}: "sizes" names a block of {size:,}, which has no place on these nodes.')
    return size


def _realtime_job(owner: str, raw: dict[str, object], fleet: Fleet) -> RealtimeJob:
    inherited = None
    if "running" in raw:
        where = f'{owner}, "running"'
        held = wholes(where, "gpus", fields(where, raw["running"], ("gpus",))["gpus"], 0, fleet.gpus - 1)
        inherited = frozenset(held)
        if len(inherited) < len(held):
            raise IllegalScenario(f'{where}: "gpus" names a GPU twice.')
    return RealtimeJob(
        id=str(raw["id"]),
        priority=number(owner, "priority", raw["priority"]),
        demand=_by_step(owner, "demand", wholes(owner, "demand", raw["demand"], 0), fleet.steps),
        swap_cap=whole(owner, "swap_cap", raw["swap_cap"], 0),
        floor=_floor(owner, raw.get("floor", 0), fleet),
        inherited=inherited,
    )


def _floor(owner: str, raw: object, fleet: Fleet) -> tuple[int, ...]:
    if isinstance(raw, list | tuple):
        return _by_step(owner, "floor", wholes(owner, "floor", raw, 0, fleet.gpus), fleet.steps)
    return (whole(owner, "floor", raw, 0, fleet.gpus),) * fleet.steps


def _by_step(owner: str, field: str, values: tuple[int, ...], steps: int) -> tuple[int, ...]:
    if len(values) == steps:
        return values
    raise IllegalScenario(f'{owner}: "{field}" has {len(values):,} values, and the horizon has {steps:,} steps.')
