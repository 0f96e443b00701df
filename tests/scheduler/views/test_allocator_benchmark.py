"""The benchmark's page: boxes and tables of what was measured, the article beside it, and a word where nothing was."""

import csv
import io
from pathlib import Path

import pytest

from scheduler.domain.allocation.measured import UnableToReadMeasured, measured_of
from scheduler.selectors.measured import measured
from scheduler.views import allocator_benchmark as page
from tests.fixtures.cast import Cast
from tests.scheduler.views.benchmark_file import FILE
from tests.scheduler.views.test_allocator import text

pytestmark = pytest.mark.django_db
PAGE = "/allocator/benchmark/"


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "measured", lambda: measured_of(FILE))


def test_what_was_measured_is_drawn_told_and_held_against_its_targets(shipped, cast: Cast, logged_in) -> None:
    response = logged_in(cast.nobody).get(PAGE)
    said = text(response)
    assert [drawn.plot.name for drawn in response.context["plots"]] == ["gap", "gain", "used", "time"]
    assert "Medians from 0.1 (mixed) to 0.2 (training-heavy) % of the bound" in said.replace("0.10", "0.1").replace(
        "0.20", "0.2"
    )
    assert "machine: 2 cores".lower() in said.lower()
    assert [(aim.aim, aim.met) for aim in response.context["aims"]] == [("≤ 0.004", True), ("≤ 1", False)]
    assert "missed" in said


def test_the_article_stands_beside_ours_with_the_note_on_its_instances(shipped, cast: Cast, logged_in) -> None:
    response = logged_in(cast.nobody).get(PAGE)
    lines = {line.row.name: line for line in response.context["article"]}
    assert lines["Mixed control"].value == "31.0\u202f% (14.0 to 55.0)"
    assert lines["Mixed control"].points == "10.5 (4.00 to 19.0)"
    assert lines["Scale"].value == "–"
    assert "Its instances are not public" in text(response)


def test_nothing_measured_is_said_and_what_to_do(monkeypatch: pytest.MonkeyPatch, cast: Cast, logged_in) -> None:
    monkeypatch.setattr(page, "measured", lambda: None)
    client = logged_in(cast.nobody)
    response = client.get(PAGE)
    assert response.status_code == 200
    assert "Nothing was measured yet" in text(response)
    assert "benchmark_allocator" in text(response)
    assert client.get(f"{PAGE}figures.csv").status_code == 404


def test_every_figure_is_in_the_file(shipped, cast: Cast, logged_in) -> None:
    client = logged_in(cast.nobody)
    rows = list(csv.DictReader(io.StringIO(client.get(f"{PAGE}figures.csv").text)))
    assert [float(row["median"]) for row in rows] == [one["median"] for one in FILE["figures"]]
    assert client.get(f"{PAGE}figures.xlsx").status_code == 200


def test_a_file_that_can_not_be_read_is_said(monkeypatch: pytest.MonkeyPatch, cast: Cast, logged_in) -> None:
    def unreadable() -> None:
        raise UnableToReadMeasured("The benchmark's file is not JSON.")

    monkeypatch.setattr(page, "measured", unreadable)
    response = logged_in(cast.nobody).get(PAGE)
    assert response.status_code == 503
    assert "is not JSON" in text(response)


def test_a_missing_file_is_nothing_and_a_spoilt_one_an_error(tmp_path: Path) -> None:
    assert measured(tmp_path / "none.json") is None
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_text("{")
    with pytest.raises(UnableToReadMeasured):
        measured(spoilt)


def test_what_is_shipped_can_be_read() -> None:
    found = measured()
    assert found is None or found.figures
