"""FIFO gives the figures the six scenarios are known by."""

import pytest

from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of
from scheduler.domain.allocation.legality import violations
from tests.scheduler.domain.allocation.six import FIFO, six


@pytest.mark.parametrize("name", FIFO)
def test_the_six_scenarios_give_their_stated_figures(name: str) -> None:
    instance = six(name)
    grid = fifo_grid(instance)
    figures = figures_of(instance, grid)
    assert (figures.utilization, figures.objective) == pytest.approx(FIFO[name], abs=1e-6)
    assert violations(instance, grid) == []
