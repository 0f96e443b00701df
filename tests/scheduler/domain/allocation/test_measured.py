"""The benchmark's file: read as it is written, refused with the entry that is wrong."""

import json
from copy import deepcopy

import pytest

from scheduler.domain.allocation.measured import UnableToReadMeasured, measured_of
from tests.scheduler.views.benchmark_file import FILE


def test_every_figure_and_target_is_read() -> None:
    found = measured_of(FILE)
    assert len(found.figures) == len(FILE["figures"])
    assert [(one.aim, one.reached, one.met) for one in found.targets] == [
        ("≤ 0.004", 0.0031, True),
        ("≤ 1", 1.3, False),
    ]
    assert [one.case for one in found.of("orders", "value over FIFO")] == ["mixed", "training_heavy"]
    assert found.about == (("machine", "2 cores"),)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file["figures"][1].pop("p10"), "no number “p10” in figure 2"),
        (lambda file: file["figures"][0].update(mean=True), "no number “mean” in figure 1"),
        (lambda file: file["figures"][0].update(median=9.0), "out of order in figure 1"),
        (lambda file: file["figures"][0].update(case=3), "no text “case” in figure 1"),
        (lambda file: file["targets"][0].update(met="yes"), "no “met” in target 1"),
        (lambda file: file.update(figures={}), "“figures” that is no list"),
        (lambda file: file.update(about=[]), "“about” that is no object"),
        (lambda file: file["targets"].append("x"), "in target 3"),
    ],
)
def test_what_is_wrong_is_named(spoil, said: str) -> None:
    file = deepcopy(FILE)
    spoil(file)
    with pytest.raises(UnableToReadMeasured, match=said):
        measured_of(file)


def test_a_list_is_no_file_of_the_benchmark() -> None:
    with pytest.raises(UnableToReadMeasured, match="no object"):
        measured_of([])


def test_what_the_command_writes_can_be_read() -> None:
    from reservations.tables.writing import json_text
    from scheduler.services.measure_allocator.rows import row
    from scheduler.tables.allocator_figures import figure_rows

    written = json_text(
        {"targets": [], "figures": figure_rows([row("small", "mixed", "gap", "share", [0.1, 0.2, 0.4])])}
    )
    (one,) = measured_of(json.loads(written)).figures
    assert (one.count, one.least, one.median, one.most) == (3, 0.1, 0.2, 0.4)
