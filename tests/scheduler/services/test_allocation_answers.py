"""Answers at once: legal whatever is asked, with what they claim true of their grids."""

import json

import numpy as np
import pytest

from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.allocation.outcome import grid_of
from scheduler.domain.allocation.scenario import IllegalScenario
from scheduler.services.allocation import AllocationAsked, allocation_answer, answering, rolling_answer, verdict
from scheduler.services.allocation.answering import IllegalGrid
from tests.scheduler.domain.allocation.six import FIFO, OPTIMUM
from tests.scheduler.services.allocation_questions import SMALL, of_the_six


@pytest.mark.parametrize("mode", ["fifo", "fast"])
@pytest.mark.parametrize("name", FIFO)
def test_the_six_scenarios_are_answered_with_a_legal_grid_whose_figures_are_its_own(name: str, mode: str) -> None:
    answer = allocation_answer(scenario=of_the_six(name), asked=AllocationAsked(mode=mode))
    again = json.loads(json.dumps(answer.result))
    grid = grid_of(answer.instance, again)
    assert violations(answer.instance, grid) == []
    assert (grid == answer.grid).all()
    assert verdict(instance=answer.instance, result=again)["differences"] == []
    assert again["objective"] == figures_of(answer.instance, grid).value
    assert again["mode"] == mode
    assert again["latency_ms"] > 0


@pytest.mark.parametrize("name", FIFO)
def test_fast_is_never_below_fifo_and_never_above_its_certificate(name: str) -> None:
    fast = allocation_answer(scenario=of_the_six(name), asked=AllocationAsked(certificate=True)).result
    assert fast["objective"] >= FIFO[name][1] - 1e-6
    assert fast["bound"] >= fast["objective"] - 1e-6
    if name in OPTIMUM:
        assert fast["objective"] <= OPTIMUM[name][1] + 1e-6 <= fast["bound"] + 2e-6
    assert fast["gap_share"] == pytest.approx((fast["bound"] - fast["objective"]) / fast["bound"])


def test_without_a_certificate_nothing_is_claimed() -> None:
    result = allocation_answer(scenario=of_the_six("mixed")).result
    assert (result["bound"], result["gap_share"], result["proved"]) == (None, None, False)


def test_reasons_are_told_to_who_asks_for_them() -> None:
    told, untold = (
        allocation_answer(scenario=SMALL, asked=AllocationAsked(reasons=reasons)).result["jobs"]
        for reasons in (True, False)
    )
    assert all(job["reason"] for job in told)
    assert {job["reason"] for job in untold} == {None}


def test_the_same_seed_and_budget_give_the_same_grid() -> None:
    asked = AllocationAsked(seed=7, iterations=50)
    one, other = (allocation_answer(scenario=of_the_six("scale"), asked=asked).grid for _ in range(2))
    assert (one == other).all()


def test_the_certificate_is_no_part_of_the_latency(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([10.0, 10.5])
    monkeypatch.setattr(answering, "perf_counter", lambda: next(ticks))
    answer = allocation_answer(scenario=SMALL, asked=AllocationAsked(certificate=True, reasons=True))
    assert answer.latency_ms == answer.result["latency_ms"] == 500


def test_what_is_compiled_is_compiled_before_the_clock_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(answering, "warm_up_allocator", lambda: order.append("warm"))
    monkeypatch.setattr(answering, "perf_counter", lambda: order.append("clock") or 1.0)
    allocation_answer(scenario=SMALL)
    assert order == ["warm", "clock", "clock"]


def test_an_illegal_grid_is_a_fault_and_is_never_given_to_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    def overlapping(instance: Instance, **more: object) -> np.ndarray:
        grid = fifo_grid(instance)
        grid[:, 0] = 0
        return grid

    monkeypatch.setattr(answering, "fast_grid", overlapping)
    with pytest.raises(IllegalGrid, match="fast mode gave an illegal grid"):
        allocation_answer(scenario=SMALL)


def test_an_illegal_scenario_is_refused_with_its_job_and_field() -> None:
    jobs = [{"id": "t", "type": "training", "priority": 1, "arrival": 0, "sizes": {"3": 1}}]
    with pytest.raises(IllegalScenario, match=r'"t".*"sizes".*"3"'):
        allocation_answer(scenario={"gpus": 4, "steps": 4, "jobs": jobs})


def test_what_is_legal_and_hardly_meant_is_warned_of() -> None:
    jobs = [
        {"id": "t", "type": "training", "priority": 100, "arrival": 0, "sizes": {"4": 1}},
        {"id": "chat", "type": "realtime", "priority": 1, "demand": [1], "swap_cap": 4},
    ]
    (warning,) = allocation_answer(scenario={"gpus": 4, "steps": 1, "jobs": jobs}).result["warnings"]
    assert "chat" in warning


def test_a_scenario_without_jobs_is_answered_with_an_empty_grid() -> None:
    result = allocation_answer(scenario={"gpus": 2, "steps": 3, "jobs": []}).result
    assert result["grid"] == [[None] * 3] * 2
    assert result["objective"] == 0


def test_living_through_a_scenario_tells_each_plan_and_what_foresight_would_have_been_worth() -> None:
    told: list[tuple[int, int]] = []
    answer = rolling_answer(
        scenario=of_the_six("training_heavy"), asked=AllocationAsked(), advance=lambda *made: told.append(made)
    )
    rolling = answer.result["rolling"]
    assert [plan["step"] for plan in rolling["plans"]] == [0, 1, 3, 7, 8]
    assert told == [(made, 6) for made in range(1, 7)]
    assert rolling["rolling_value"] == answer.result["objective"]
    assert rolling["regret"] == rolling["clairvoyant_value"] - rolling["rolling_value"]
    assert sum(plan["latency_ms"] for plan in rolling["plans"]) == pytest.approx(answer.latency_ms)
    assert violations(answer.instance, answer.grid) == []
    assert rolling["clairvoyant_value"] == allocation_answer(scenario=of_the_six("training_heavy")).result["value"]


def test_a_verdict_names_each_violation_and_gives_no_figures_of_an_illegal_grid() -> None:
    answer = allocation_answer(scenario=SMALL)
    grid = [list(row) for row in answer.result["grid"]]
    row, step = next((gpu, grid[gpu].index("t")) for gpu in range(4) if "t" in grid[gpu])
    grid[row][step] = None
    told = verdict(instance=answer.instance, result={"grid": grid})
    assert not told["legal"]
    assert all(found["sentence"].endswith(".") and found["kind"] for found in told["violations"])
    assert "objective" not in told
    grid[row][step] = "who"
    (found,) = verdict(instance=answer.instance, result={"grid": grid})["violations"]
    assert "who" in found["sentence"]


def test_a_verdict_tells_every_figure_that_is_claimed_otherwise() -> None:
    answer = allocation_answer(scenario=SMALL)
    claimed = answer.result | {"objective": 1e6, "completed": True, "utilization": None}
    told = verdict(instance=answer.instance, result=claimed)
    assert told["legal"]
    assert sorted(sentence.split('"')[1] for sentence in told["differences"]) == [
        "completed",
        "objective",
        "utilization",
    ]
