"""``allocate`` and ``verify_allocation`` from the outside: one sentence for what is wrong, nothing written by half."""

import csv
import io
import json
import stat
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scheduler.domain.allocation.scenario import instance_of
from scheduler.management import json_files
from scheduler.management.commands import allocate as command
from scheduler.services.allocation import verdict
from tests.fixtures.commands import Manage
from tests.scheduler.domain.allocation.six import FIFO, OPTIMUM
from tests.scheduler.services.allocation_questions import SIX, SMALL, of_the_six

MIXED = str(SIX / "mixed.json")


def run(name: str, *words: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(name, *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def refused(name: str, *words: str) -> str:
    with pytest.raises(CommandError) as raised:
        run(name, *words)
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.fixture
def small(tmp_path: Path) -> str:
    file = tmp_path / "small.json"
    file.write_text(json.dumps(SMALL))
    return str(file)


@pytest.mark.parametrize("mode", ["fifo", "fast", "full"])
def test_the_result_stands_alone_on_stdout_and_passes_the_verifier(mode: str, tmp_path: Path) -> None:
    out, _ = run("allocate", MIXED, "--mode", mode, "--time-limit", "30")
    result = json.loads(out)
    file = tmp_path / "result.json"
    file.write_text(out)
    told = json.loads(run("verify_allocation", MIXED, str(file))[0])
    assert (told["legal"], told["violations"], told["differences"]) == (True, [], [])
    assert told["objective"] == pytest.approx(result["objective"])
    assert result["objective"] >= FIFO["mixed"][1] - 1e-6
    if mode == "full":
        assert result["proved"]
        assert result["objective"] == pytest.approx(OPTIMUM["mixed"][1])
    assert all(job["reason"] for job in result["jobs"])


def test_csv_and_a_table_have_a_row_for_each_job_and_the_figures_beside(small: str) -> None:
    out, err = run("allocate", small, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["id"] for row in rows] == ["t", "late", "chat"]
    assert [row["placed"] for row in rows] == ["true"] * 3
    assert err.startswith("fast: objective ")
    table, _ = run("allocate", small, "--format", "table")
    assert len(table.splitlines()) == 4


def test_a_drawing_has_a_line_for_each_gpu_and_says_who_is_who(small: str) -> None:
    out, _ = run("allocate", small, "--format", "text")
    lines = out.splitlines()
    assert lines[0].startswith("fast: objective ")
    drawn = [line.split(" ", 1)[1] for line in lines[2:6]]
    result = json.loads(run("allocate", small)[0])
    letters = {"t": "a", "late": "b", "chat": "c", None: "."}
    assert drawn == ["".join(letters[id] for id in row) for row in result["grid"]]
    assert lines[7].startswith("a t starts at step 0, from GPU ")


def test_many_jobs_get_marks_of_their_own(tmp_path: Path) -> None:
    jobs = [{"id": f"j{at}", "type": "training", "priority": 1, "arrival": 0, "sizes": {"1": 1}} for at in range(70)]
    file = tmp_path / "many.json"
    file.write_text(json.dumps({"gpus": 35, "steps": 2, "jobs": jobs}))
    lines = run("allocate", str(file), "--format", "text")[0].splitlines()
    marks = [line.split(" ", 1)[0] for line in lines[38:]]
    assert len(set(marks)) == 70
    cells = [line[3:][at : at + 2] for line in lines[2:37] for at in (0, 2)]
    assert sorted(cells) == sorted(marks)


def test_living_through_it_tells_the_regret(small: str) -> None:
    rolling = json.loads(run("allocate", small, "--rolling")[0])["rolling"]
    assert [plan["step"] for plan in rolling["plans"]] == [0, 2]
    assert rolling["regret"] == rolling["clairvoyant_value"] - rolling["rolling_value"]


def test_the_same_seed_and_iterations_give_the_same_grid() -> None:
    words = ("allocate", MIXED, "--seed", "4", "--iterations", "30")
    one, other = (json.loads(run(*words)[0])["grid"] for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The scenario is not JSON: Expecting value at line 1, column 1"),
        ("{", "The scenario is not JSON"),
        ('{"gpus": 4, "gpus": 4}', "The scenario says “gpus” twice in one object"),
        ('{"gpus": NaN}', "The scenario holds NaN, which is no number"),
        ("[]", "The scenario is not an object"),
        ('{"gpus": 4}', 'The scenario: "steps" is missing'),
        ('{"gpus": 100000, "steps": 100000, "jobs": []}', "has 10,000,000,000 cells, and at most 20,000,000 are taken"),
    ],
)
def test_a_scenario_that_can_t_be_meant_is_refused_in_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "scenario.json"
    file.write_text(text)
    output = tmp_path / "result.json"
    output.write_text("what stood there")
    for words in (("allocate", str(file), "--output", str(output)), ("verify_allocation", str(file), MIXED)):
        assert sentence in refused(*words)
    assert output.read_text() == "what stood there"
    assert sorted(tmp_path.iterdir()) == [output, file]


def test_a_file_that_is_not_there_or_no_file_is_told(tmp_path: Path) -> None:
    assert refused("allocate", str(tmp_path / "none")).endswith("none can't be read: No such file or directory")
    assert "Is a directory" in refused("allocate", str(tmp_path))
    assert "can't be read" in refused("allocate", "nul\0l")
    assert "The result" in refused("verify_allocation", MIXED, str(tmp_path / "none"))


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "endless"
    file.write_bytes(b" " * 101)
    with pytest.raises(json_files.UnableToUseFile, match="is larger than 100 bytes"):
        json_files.object_in(str(file), what="The scenario", most_bytes=100)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--time-limit", "0"), "is no number of seconds above 0"),
        (("--time-limit", "nan"), "is no number of seconds above 0"),
        (("--time-limit", "inf"), "is no number of seconds above 0"),
        (("--time-limit", "soon"), "is no number of seconds above 0"),
        (("--seed", "-1"), "is no whole number"),
        (("--iterations", "1e3"), "is no whole number"),
        (("--mode", "slow"), "invalid choice"),
        (("--format", "xml"), "invalid choice"),
    ],
)
def test_an_option_that_can_t_be_meant_is_refused(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("allocate", MIXED, *words)


def test_a_place_that_takes_no_file_is_told_before_anything_is_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "allocation_answer", lambda **given: pytest.fail("it planned"))
    assert "is a folder" in refused("allocate", MIXED, "--output", str(tmp_path))
    assert "there is no folder" in refused("allocate", MIXED, "--output", str(tmp_path / "no" / "file"))


def test_a_file_is_replaced_whole_with_its_rights_and_through_a_link(small: str, tmp_path: Path) -> None:
    target, link = tmp_path / "kept" / "result.json", tmp_path / "link.json"
    target.parent.mkdir()
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    out, err = run("allocate", small, "--output", str(link))
    assert out == ""
    assert err.startswith("fast: objective ")
    assert verdict(instance=instance_of(SMALL), result=json.loads(target.read_text()))["legal"]
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert list(target.parent.iterdir()) == [target]


def test_what_cannot_be_written_leaves_what_stood_there(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "result.json"
    target.write_text("old")
    monkeypatch.setattr(json_files.os, "fsync", full)
    assert refused("allocate", small, "--output", str(target)).endswith("can't be written: No space left on device")
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.json", "small.json"]


def spoilt(spoil: Any, tmp_path: Path) -> tuple[int, dict[str, Any]]:
    """What ``verify_allocation`` exits with and says of a result that was spoilt."""
    result = json.loads(run("allocate", MIXED)[0])
    spoil(result)
    file = tmp_path / "spoilt.json"
    file.write_text(json.dumps(result))
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify_allocation", MIXED, str(file), stdout=out, stderr=StringIO())
    return ended.value.code, json.loads(out.getvalue())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda result: result["grid"][0].__setitem__(0, "b7"),
        lambda result: result["grid"][0].__setitem__(0, "nobody we know"),
        lambda result: result["grid"][0].append(None),
        lambda result: result["grid"].pop(),
        lambda result: result.pop("grid"),
        lambda result: result.__setitem__("grid", [[1]]),
    ],
)
def test_an_illegal_result_exits_with_1_and_says_what_it_breaks(spoil: Any, tmp_path: Path) -> None:
    code, told = spoilt(spoil, tmp_path)
    assert code == 1
    assert told["legal"] is False
    assert told["violations"]
    assert "objective" not in told


def test_a_figure_that_the_grid_does_not_have_is_told_and_the_grid_stays_legal(tmp_path: Path) -> None:
    file = tmp_path / "boast.json"
    file.write_text(json.dumps(json.loads(run("allocate", MIXED)[0]) | {"objective": 1e9}))
    out, err = run("verify_allocation", MIXED, str(file))
    assert json.loads(out)["legal"]
    assert '"objective" is 1000000000.0' in err


def test_violations_as_csv_have_a_row_each(tmp_path: Path) -> None:
    file = tmp_path / "empty.json"
    file.write_text(json.dumps({"grid": [["r0"] * 24] * 8}))
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_allocation", MIXED, str(file), "--format", "csv", stdout=out, stderr=StringIO())
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert rows
    assert set(rows[0]) == {"kind", "sentence", "job", "step", "gpu"}


def test_both_from_standard_input_is_refused() -> None:
    assert "not both" in refused("verify_allocation", "-", "-")


def test_a_process_of_its_own_reads_standard_input_and_needs_no_server(manage: Manage, data_dir: Path) -> None:
    """As it stands in a pipe: the result alone on stdout, one line on stderr and a code where something is wrong."""
    import sys

    from tests.fixtures.commands import clean_environment
    from tests.fixtures.parts import ROOT

    def piped(text: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "manage.py", "allocate", "-", "--mode", "fifo"]
        environment = clean_environment(data_dir) | {"NUMBA_DISABLE_JIT": "1"}
        return subprocess.run(
            words, cwd=ROOT, env=environment, input=text, capture_output=True, text=True, timeout=120, check=False
        )

    good = piped(json.dumps(of_the_six("mixed")))
    assert (good.returncode, good.stderr.count("\n")) == (0, 1)  # a warning
    assert json.loads(good.stdout)["mode"] == "fifo"
    bad = piped("{")
    assert (bad.returncode, bad.stdout) == (1, "")
    assert bad.stderr == "CommandError: The scenario is not JSON: Expecting property name enclosed in double quotes" \
        " at line 1, column 2\n"  # fmt: skip
    assert not (data_dir / "postgres").exists()
