"""When nobody spoke about nodes: time in which a missing node is not a node that left."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from telemetry.domain.accounting.hold import Interval, held_spans, joined, length
from telemetry.domain.sample import HourUsage, Samples

LARGEST_SILENT_PERCENT = 10
"""Beyond that the hour's nodes are unknown; below, the silent time counts as not joined and is flagged."""


@dataclass(slots=True)
class Presences:
    """When each node of the pool was seen, over the hour and its margins."""

    window: Interval
    step_ms: int
    nodes: list[list[Interval]] = field(default_factory=list)

    @classmethod
    def of(cls, usage: HourUsage) -> "Presences":
        """An empty record for one hour, with the margins in which its neighbours' samples lie."""
        margin = usage.state_step_ms * 3 // 2
        return cls((usage.period.start_ms - margin, usage.period.end_ms + margin), usage.state_step_ms)

    def add(self, presence: Samples) -> None:
        """Keep when one node was seen."""
        spans = held_spans(presence, self.step_ms, self.window)
        self.nodes.append(joined((a, b) for a, b, there in spans if there > 0))


def silent_ms(presences: Presences, usage: HourUsage) -> int:
    """Milliseconds of the hour without any word on nodes.

    Time in which the source spoke of no node of anybody's, and after which one of the pool's nodes was back,
    is a source that fell silent and not a pool that emptied; the time it knows it was down comes on top.
    """
    hour = (usage.period.start_ms, usage.period.end_ms)
    together = joined(span for spans in presences.nodes for span in spans)
    unseen = _within(_between(together, hour), hour)
    if not unseen:
        return 0
    returned = [gap for gap in unseen if any(_before_and_after(spans, gap) for spans in presences.nodes)]
    silent = [gap for wordless in usage.wordless_spans() for gap in _within(returned, wordless)] if returned else []
    return length(joined(_within([*silent, *usage.dark_spans()], hour)))


def _between(spans: Sequence[Interval], hour: Interval) -> list[Interval]:
    edges = [hour[0], *(edge for span in spans for edge in span), hour[1]]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _before_and_after(spans: Sequence[Interval], gap: Interval) -> bool:
    return any(b <= gap[0] for _, b in spans) and any(a >= gap[1] for a, _ in spans)


def _within(spans: Sequence[Interval], hour: Interval) -> list[Interval]:
    cut = [(max(a, hour[0]), min(b, hour[1])) for a, b in spans]
    return [(a, b) for a, b in cut if a < b]
