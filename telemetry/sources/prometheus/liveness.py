"""When the engine scraped nothing (told by ``up``, which every scrape leaves behind), or nothing about nodes."""

from itertools import pairwise

from telemetry.sources.prometheus.presence import Ask
from telemetry.sources.prometheus.questions import Questions
from telemetry.sources.prometheus.series import Series


def dark_spans(ask: Ask, questions: Questions, hour: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The parts ``(start_ms, end_ms)`` of an hour without one scrape of anything; none where ``up`` is not kept."""
    return _gaps(ask(questions.scrapes()), questions.step_ms, hour)


def wordless_spans(ask: Ask, questions: Questions, hour: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The parts of an hour in which kube-state-metrics spoke of no node of any pool."""
    return _gaps(ask(questions.words_on_nodes()), questions.state_step_ms, hour)


def _gaps(found: list[Series], step: int, hour: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    if not found:
        return ()
    lit = [round(float(t) * 1000) for t, _ in found[0]["values"]]
    edges = [hour[0], *lit, hour[1] + step]
    # a point of the grid speaks for the step before it, and either end of the hour may lie between two points
    gaps = [(a, b - step) for a, b in pairwise(edges) if b - a > 2 * step]
    return tuple((max(a, hour[0]), min(b, hour[1])) for a, b in gaps if b > hour[0] and a < hour[1])
