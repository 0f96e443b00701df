"""Recorded months at random, and small ones by hand."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from reservations.domain.period import HOUR_MS
from telemetry.domain.recorded import Recorded, RecordedHour, RecordedPod

START = datetime(2026, 11, 1, tzinfo=UTC)
NAMES = ("chat-0", "chat-1", "train-a-0", "train-a-1", "embed-x1y2z", "lonely")
WORKLOADS = ("serving", "training", "batch", "")


def at(hour: int) -> datetime:
    return START + timedelta(hours=hour)


def pod(name: str, hour: int, gpus: float, workload: str = "batch", *, uid: str = "") -> RecordedPod:
    return RecordedPod(at(hour), "team", name, uid or f"uid-{name}", f"cq-{workload}", workload, int(gpus * HOUR_MS))


def stay(name: str, hours: range, gpus: float, workload: str = "batch") -> list[RecordedPod]:
    return [pod(name, hour, gpus, workload) for hour in hours]


def month(
    count: int,
    pods: list[RecordedPod],
    *,
    queued: Mapping[int, Mapping[str, float]] | None = None,
    gone: Collection[int] = (),
) -> Recorded:
    """``count`` hours whose pods account for all that was allocated; of those in ``gone`` nothing is kept."""
    kept = [one for one in pods if one.hour not in {at(hour) for hour in gone}]
    return Recorded(
        tuple(_hour(number, kept, queued or {}) for number in range(count) if number not in gone), tuple(kept)
    )


def _hour(number: int, pods: list[RecordedPod], queued: Mapping[int, Mapping[str, float]]) -> RecordedHour:
    waited = queued.get(number)
    return RecordedHour(
        hour=at(number),
        allocated=sum(one.allocated for one in pods if one.hour == at(number)),
        expected=100 * HOUR_MS,
        known=100 * HOUR_MS,
        queued=None if waited is None else {name: int(gpus * HOUR_MS) for name, gpus in waited.items()},
    )


@st.composite
def recorded(draw: st.DrawFn, hours: int = 24, most_gpus: int = 9) -> Recorded:
    """Up to so many hours, some of them unknown, with pods that come and go and parts of hours."""
    count = draw(st.integers(1, hours))
    pods = []
    for number in range(draw(st.integers(0, 7))):
        name, workload = draw(st.sampled_from(NAMES)), draw(st.sampled_from(WORKLOADS))
        gpus = draw(st.integers(1, most_gpus))
        first = draw(st.integers(0, count - 1))
        last = draw(st.integers(first, min(count - 1, first + 9)))
        for hour in range(first, last + 1):
            is_edge = hour in (first, last)
            part = draw(st.sampled_from([1.0, 0.5, 0.1])) if is_edge else draw(st.sampled_from([1.0, 1.0, 1.0, 0.0]))
            if part:
                pods.append(pod(name, hour, gpus * part, workload, uid=f"u{number}"))
    queued: dict[int, Mapping[str, float]] = draw(
        st.dictionaries(
            st.integers(0, count - 1),
            st.dictionaries(st.sampled_from(WORKLOADS), st.integers(0, 12), max_size=3),
            max_size=count,
        )
    )
    gone = draw(st.sets(st.integers(0, count - 1), max_size=2))
    return month(count, pods, queued=queued, gone=gone)
