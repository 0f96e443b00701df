"""When the engine itself scraped nothing: told by ``up``, which every scrape leaves behind."""

from itertools import pairwise

from telemetry.sources.prometheus.presence import Ask
from telemetry.sources.prometheus.questions import Questions


def dark_spans(ask: Ask, questions: Questions, hour: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The parts ``(start_ms, end_ms)`` of an hour without one scrape of anything; none where ``up`` is not kept."""
    found = ask(questions.scrapes())
    if not found:
        return ()
    step = questions.step_ms
    lit = [round(float(t) * 1000) for t, _ in found[0]["values"]]
    edges = [hour[0], *lit, hour[1] + step]
    # a point of the grid speaks for the step before it, and either end of the hour may lie between two points
    gaps = [(a, b - step) for a, b in pairwise(edges) if b - a > 2 * step]
    return tuple((max(a, hour[0]), min(b, hour[1])) for a, b in gaps if b > hour[0] and a < hour[1])
