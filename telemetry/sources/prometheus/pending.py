"""What Kueue says of work that waits (docs/demand.md#what-waited).

Kueue tells pending GPUs since 0.18; before, and always beside it, how many workloads wait. A count above 0 says
nothing in GPUs. A count of 0 says that none are waited for, and so does a queue that waits for other resources alone.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

from telemetry.domain.sample import PendingSeries, Samples
from telemetry.sources.prometheus.questions import Questions
from telemetry.sources.prometheus.series import SampleReader, Series

Ask = Callable[[str], list[Series]]
Points = dict[int, float]


def pending_series(ask: Ask, questions: Questions) -> tuple[PendingSeries, ...]:
    """The GPUs that each ClusterQueue's work waits for, at the instants somebody says so; the larger value counts."""
    names, read = questions.names, SampleReader(questions.start_ms)
    gpus: dict[str, Points] = defaultdict(dict)
    others: dict[str, Points] = defaultdict(dict)
    counts: dict[str, Points] = defaultdict(dict)
    for series in ask(questions.pending()):
        labels = series["metric"]
        if not (queue := labels.get("cluster_queue")):
            continue
        kind = counts
        if labels["__name__"] == names.queue_pending_metric:
            kind = gpus if labels.get("resource") == names.kueue_resource else others
        _merge(kind[queue], read(series))
    queues = sorted(gpus.keys() | others.keys() | counts.keys())
    told = ((queue, _told(gpus[queue], others[queue], counts[queue])) for queue in queues)
    return tuple(PendingSeries(queue, samples) for queue, samples in told if samples)


def _merge(points: Points, samples: Iterable[tuple[int, float]]) -> None:
    for at, value in samples:
        points[at] = max(points.get(at, value), value)


def _told(gpus: Points, others: Points, counts: Points) -> Samples:
    none = {at: 0.0 for at in others} | {at: 0.0 for at, count in counts.items() if count == 0}
    return tuple(sorted((none | gpus).items()))
