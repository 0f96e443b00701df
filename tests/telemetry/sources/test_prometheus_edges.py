"""No sample is lost or read twice where one hour meets the next, on any phase of the scrape."""

from datetime import timedelta

import pytest

from telemetry.domain.sample import Samples
from telemetry.sources import prometheus
from tests.fixtures.prometheus import Line, PrometheusWith
from tests.telemetry.sources.questions import question
from tests.telemetry.worked_hour import LABEL, RESERVATION, START, at

pytestmark = pytest.mark.prometheus

PHASES_MS = [0, 1, 7_000, 14_999, 15_000, 15_001, 29_999]
JITTER_MS = [0, 900, -700, 250, -1, 1, 999]
FIRST, LAST = -40, 280
"""Scrapes before 10:00 and after: more than two hours and both margins."""


def scrapes(phase: int, jitter: bool) -> list[tuple[int, float]]:
    off = [JITTER_MS[n % len(JITTER_MS)] if jitter else 0 for n in range(LAST - FIRST)]
    return [(at(0) + n * 30_000 + phase + off[n - FIRST], (n - FIRST) / 1000) for n in range(FIRST, LAST)]


def lines() -> list[Line]:
    node = {"node": "n1", LABEL: RESERVATION}
    found = [Line("kube_node_labels", node, scrapes(0, jitter=False))]
    for phase in PHASES_MS:
        for jitter in (False, True):
            labels = {"UUID": f"GPU-{phase}-{jitter}", "Hostname": "n1"}
            found.append(Line("DCGM_FI_PROF_SM_ACTIVE", labels, scrapes(phase, jitter)))
    return found


def device(url: str, uuid: str, hour: int) -> Samples:
    (node,) = prometheus.fetch(question(url, start=START + timedelta(hours=hour))).nodes
    (one,) = (one for one in node.devices if one.uuid == uuid)
    return one.samples


@pytest.mark.parametrize("jitter", [False, True])
@pytest.mark.parametrize("phase", PHASES_MS)
def test_an_hour_has_exactly_the_samples_from_before_its_start_to_after_its_end(
    prometheus_with: PrometheusWith, phase: int, jitter: bool
) -> None:
    url = prometheus_with(lines())
    for hour in (0, 1):
        start, end = at(hour * 3600) - 45_000, at(hour * 3600 + 3600) + 45_000
        wanted = tuple((t, value) for t, value in scrapes(phase, jitter) if start < t <= end)
        assert device(url, f"GPU-{phase}-{jitter}", hour) == wanted


@pytest.mark.parametrize("phase", PHASES_MS)
def test_two_hours_side_by_side_hold_every_sample_once(prometheus_with: PrometheusWith, phase: int) -> None:
    url, uuid = prometheus_with(lines()), f"GPU-{phase}-False"
    both = [
        pair
        for hour in (0, 1)
        for pair in device(url, uuid, hour)
        if at(hour * 3600) < pair[0] <= at(hour * 3600 + 3600)
    ]
    assert both == [pair for pair in scrapes(phase, jitter=False) if at(0) < pair[0] <= at(7200)]
    assert len(both) == 240


def test_a_slower_state_scrape_widens_the_window_and_keeps_its_own_step(prometheus_with: PrometheusWith) -> None:
    usage = prometheus.fetch(question(prometheus_with(lines()), options={"state_interval_seconds": 60}))
    (node,) = usage.nodes
    assert (usage.step_ms, usage.state_step_ms) == (30_000, 60_000)
    assert node.presence[0][0] == at(-60)
    assert node.presence[-1][0] == at(3690)
