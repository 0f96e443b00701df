"""An engine that scraped nothing for a while knows so itself."""

import pytest

from telemetry.sources import prometheus
from tests.fixtures.prometheus import Line, PrometheusWith
from tests.telemetry.sources.questions import question
from tests.telemetry.worked_hour import LABEL, RESERVATION, at

pytestmark = pytest.mark.prometheus

PHASES_MS = [0, 7_000, 15_000, 29_999]
STEP = 30_000


def lit(phase: int, *, dark: tuple[int, int]) -> list[tuple[int, float]]:
    """A scrape every 30 s from 9:50 to 11:10 but for the minutes from one to another after 10:00."""
    times = [at(second) + phase for second in range(-600, 4200, 30)]
    return [(t, 1.0) for t in times if not at(dark[0] * 60) < t <= at(dark[1] * 60)]


def dark_of(prometheus_with: PrometheusWith, metric: str, phase: int, dark: tuple[int, int]) -> list[tuple[int, int]]:
    node = Line("kube_node_labels", {"node": "n1", LABEL: RESERVATION}, lit(0, dark=(0, 0)))
    scraped = Line(metric, {"job": "exporter", "instance": "a"}, lit(phase, dark=dark))
    usage = prometheus.fetch(question(prometheus_with([node, scraped])))
    list(usage.nodes)
    return list(usage.dark_spans())


@pytest.mark.parametrize("phase", PHASES_MS)
@pytest.mark.parametrize("dark", [(20, 40), (40, 70), (-10, 15)])
def test_dark_time_is_told_to_within_a_scrape(
    prometheus_with: PrometheusWith, phase: int, dark: tuple[int, int]
) -> None:
    ((start, end),) = dark_of(prometheus_with, "up", phase, dark)
    assert abs(start - at(max(dark[0], 0) * 60)) <= STEP
    assert abs(end - at(min(dark[1], 60) * 60)) <= STEP


@pytest.mark.parametrize("phase", PHASES_MS)
def test_an_engine_that_scraped_all_the_time_was_never_dark(prometheus_with: PrometheusWith, phase: int) -> None:
    assert dark_of(prometheus_with, "up", phase, (0, 0)) == []


def test_an_engine_that_keeps_no_word_of_its_scrapes_is_not_taken_for_dark(prometheus_with: PrometheusWith) -> None:
    assert dark_of(prometheus_with, "node_load1", 0, (20, 40)) == []
