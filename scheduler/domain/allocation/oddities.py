"""Small random instances of every kind that the rules allow, by seed: what a grid has to stay legal on."""

from random import Random
from typing import Any

from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.scenario import IllegalScenario, instance_of

TYPES = ("training", "batch_inference", "quantization")


def odd_instance(seed: int) -> Instance:
    """The first legal one of a stream of scenarios drawn by ``seed``: up to 16 GPUs, 12 steps and 9 jobs."""
    rng = Random(f"odd:{seed}")  # noqa: S311 an instance to try, no secret # nosec B311
    while True:
        try:
            return instance_of(_scenario(rng))
        except IllegalScenario:
            continue  # such as floors that nobody could keep: drawn again


def _scenario(rng: Random) -> dict[str, Any]:
    nodes = rng.choice(([], [], [4, 4], [8], [2, 2, 2], [8, 8], [1, 2, 4], [3, 5]))
    gpus = sum(nodes) or rng.choice((1, 2, 3, 4, 6, 8, 11, 16))
    steps = rng.choice((1, 2, 3, 5, 8, 12))
    running, taken = _running(rng, gpus), set[int]()
    taken.update(gpu for job in running for gpu in _gpus_of(job["running"]))
    batch = [_batch(rng, at, gpus, steps) for at in range(rng.randint(0, 6))]
    realtime = [_realtime(rng, at, gpus, steps, taken) for at in range(rng.randint(0, 2))]
    jobs = [*running, *batch, *realtime]
    rng.shuffle(jobs)
    return {
        "gpus": gpus,
        "steps": steps,
        **({"nodes": nodes} if nodes else {}),
        "blocks": rng.choice(("aligned", "aligned", "contiguous")),
        "objective": {
            "half_life_steps": rng.choice((None, 0.5, steps / 2, steps)),
            "realtime_penalty": rng.choice((5, 8, 10)),
            "realtime": rng.choice(("weighted", "weighted", "guaranteed")),
        },
        "jobs": jobs,
    }


def _gpus_of(running: dict[str, int]) -> range:
    return range(running["first_gpu"], running["first_gpu"] + running["gpus"])


def _running(rng: Random, gpus: int) -> list[dict[str, Any]]:
    """Blocks in steps, wherever they happened to start: some misaligned, none on top of another."""
    jobs: list[dict[str, Any]] = []
    first = rng.randint(0, gpus)
    while first < gpus and rng.random() < 0.5:
        size = rng.choice([size for size in (1, 2, 4, 8) if size <= gpus - first])
        held = {"first_gpu": first, "gpus": size, "remaining": rng.randint(1, 14)}
        jobs.append({"id": f"t{len(jobs)}", "type": rng.choice(TYPES), "priority": rng.randint(1, 5), "running": held})
        first += size + rng.randint(0, 2)
    return jobs


def _batch(rng: Random, at: int, gpus: int, steps: int) -> dict[str, Any]:
    sizes = [size for size in (1, 2, 4, 8, 16) if size <= gpus]
    chosen = rng.sample(sizes, min(len(sizes), rng.choice((1, 1, 2, 3))))
    job = {
        "id": f"b{at}",
        "type": rng.choice(TYPES),
        "priority": rng.choice((0.25, 1, 2, 3, 5, 5)),
        "arrival": rng.randint(0, steps),
        "sizes": {str(size): rng.randint(1, steps + 2) for size in chosen},
    }
    return {**job, "latest_end": rng.randint(1, steps + 2)} if rng.random() < 0.2 else job


def _realtime(rng: Random, at: int, gpus: int, steps: int, taken: set[int]) -> dict[str, Any]:
    highest = rng.choice((0, 1, gpus // 2, gpus, gpus + 3))
    job: dict[str, Any] = {
        "id": f"r{at}",
        "type": "realtime",
        "priority": rng.randint(1, 5),
        "demand": [rng.randint(0, highest) for _ in range(steps)],
        "swap_cap": rng.choice((0, 1, 1, 2, gpus)),
    }
    if rng.random() < 0.25:
        job["floor"] = rng.choice((0, 1, [rng.randint(0, 1) for _ in range(steps)]))
    free = [gpu for gpu in range(gpus) if gpu not in taken]
    if rng.random() < 0.5:
        held = sorted(rng.sample(free, rng.randint(0, len(free) // 2)))
        taken.update(held)
        job["running"] = {"gpus": held}
    return job
