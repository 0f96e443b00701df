"""The benchmark itself: its spreads, its aims, and each part on the smallest count of instances."""

from dataclasses import replace
from pathlib import Path

import pytest

from scheduler.services.allocation.answering import IllegalGrid
from scheduler.services.measure_allocator import PARTS, QUICK, measure_allocator, targets_of
from scheduler.services.measure_allocator.judged import gained_share, gap_share, judged
from scheduler.services.measure_allocator.rows import SHARE, row
from scheduler.services.measure_allocator.targets import AIMS
from scheduler.services.measure_allocator.traces import UnableToReadTraces

LEAST = replace(
    QUICK, seeds=1, orders=1, warm_runs=2, small_seconds=2, medium_seeds=1, medium_seconds=1, large_seeds=1,
    large_seconds=1, naive_seeds=1, odd=1_000,
)  # fmt: skip


def _rows(*parts: str):
    done = []
    rows = measure_allocator(
        parts=parts, protocol=LEAST, started=lambda name, steps: done.append([name, steps, 0]),
        step=lambda: done[-1].__setitem__(2, done[-1][2] + 1),
    )  # fmt: skip
    assert [name for name, _, _ in done] == list(parts)
    assert all(steps == made for _, steps, made in done), "the progress bar ends where it said it would"
    return rows


def test_a_spread_is_what_numbers_of_school_say():
    found = row("small", "mixed", "gap", SHARE, [0.0, 1.0, 2.0, 3.0, 4.0])
    assert (found.count, found.mean, found.least, found.most) == (5, 2.0, 0.0, 4.0)
    assert found.median == 2.0
    assert (found.p10, found.p90) == pytest.approx((0.4, 3.6))


def test_a_figure_of_no_values_is_refused():
    with pytest.raises(ValueError, match="no value behind gap"):
        row("small", "mixed", "gap", SHARE, [])


@pytest.mark.parametrize(
    ("bound", "value", "gap"), [(10, 9, 0.1), (-8, -10, 0.25), (0, 0, 0), (5, 5 + 1e-12, 0), (5, 6, -0.2)]
)
def test_a_gap_is_of_the_bound_and_shows_a_bound_that_is_none(bound, value, gap):
    assert gap_share(bound, value) == pytest.approx(gap)


def test_a_percentage_over_nothing_is_not_given():
    assert gained_share(5, 4) == 0.25
    assert gained_share(5, 0) is None
    assert gained_share(5, -4) is None


def test_an_illegal_grid_is_never_measured():
    from scheduler.domain.allocation.families import mixed
    from scheduler.domain.allocation.fifo import fifo_grid

    instance = mixed(1)
    grid = fifo_grid(instance)
    at = instance.batch[0][0]
    grid[grid == at] = -1
    grid[0, 0], grid[instance.gpus - 1, instance.steps - 1] = at, at
    with pytest.raises(IllegalGrid, match="by hand mode gave an illegal grid"):
        judged(instance, grid, by="by hand")


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: f"{aim.part}-{aim.case}-{aim.measure}-{aim.figure}")
def test_each_aim_can_be_missed_and_met(aim):
    unit = "ms" if aim.measure.endswith("time") else SHARE
    better, worse = (aim.limit + 1, aim.limit - 1) if aim.at_least else (aim.limit - 1, aim.limit + 1)
    for reached, met in ((better, True), (worse, False)):
        found = targets_of([row(aim.part, aim.case, aim.measure, unit, [reached])])
        ours = [target for target in found if target.aim == aim]
        assert [target.met for target in ours] == [met]
        assert ours[0].reached == reached


def test_one_illegal_grid_misses_its_target():
    found = targets_of([row("legality", "fast, 1,000 odd instances", "illegal grids", "count", [1.0])])
    assert [(target.met, target.of_machine) for target in found] == [(False, False)]


@pytest.mark.parametrize("part", [name for name in PARTS if name not in ("traces", "legality")])
def test_each_part_measures_what_its_aims_are_held_against(part):
    rows = _rows(part)
    keys = {(row.part, row.case, row.measure) for row in rows}
    assert rows
    assert all(row.part == part for row in rows)
    left_out = {"4,096", "10,000", "168 steps"}  # sizes of the full run alone
    for aim in AIMS:
        if aim.part == part and not any(name in aim.case for name in left_out):
            assert (aim.part, aim.case, aim.measure) in keys


def test_no_mode_gives_an_illegal_grid_on_a_thousand_odd_instances():
    rows = _rows("legality")
    assert {row.most for row in rows} == {0.0}
    assert {row.measure for row in rows} == {"illegal grids", "below FIFO"}


def test_traces_that_are_not_there_are_asked_for(tmp_path):
    with pytest.raises(UnableToReadTraces, match="say where the public traces are"):
        _rows("traces")
    with pytest.raises(UnableToReadTraces, match="cannot be read"):
        measure_allocator(
            parts=["traces"], protocol=replace(LEAST, traces=tmp_path), started=lambda *_: None, step=lambda: None
        )
    for name in ("philly_2017_two_weeks_jobs.csv", "alibaba_genai_v2026_requests_10min.csv"):
        Path(tmp_path / name).write_text("a,b\n1,2\n")
    with pytest.raises(UnableToReadTraces, match="not as expected"):
        measure_allocator(
            parts=["traces"], protocol=replace(LEAST, traces=tmp_path), started=lambda *_: None, step=lambda: None
        )
