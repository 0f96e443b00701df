"""The pages that say what the numbers mean: they are whole, and the code refers to nothing else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from telemetry.domain.ledger import AMOUNTS, QUEUE_AMOUNTS
from telemetry.models import PoolHour, PoolHourQueue
from tests.architecture.tree import PRODUCT, ROOT, python_files

LEDGER = (ROOT / "docs" / "ledger.md").read_text()
WRITTEN = (*PRODUCT, "tests", "docs", "templates", "static")
SUFFIXES = {".py", ".md", ".html", ".css", ".js", ".yaml", ".toml", ".json", ".sh", ".txt", ".svg"}
#: How one points to papers that nobody who has only the repository can read.
ELSEWHERE = re.compile("\N{SECTION SIGN}|" r"\bDESIGN\b|\(facts(?: |:(?! [A-Z]\w*[,)]))")
REFERENCE = re.compile(r"\bdocs/([a-z-]+\.md)(?:#([a-z0-9-]+))?|\]\(([a-z/.-]+\.md)?(?:#([a-z0-9-]+))?\)")


def written_files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.suffix in SUFFIXES - {".txt"})
    for folder in WRITTEN:
        yield from (path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES)


def flags_set_in(source: str) -> set[str]:
    """What stands for a parameter called ``flag``, in what becomes ``flags``, or is yielded before its sentence."""
    tree = ast.parse(source)
    names = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    said: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            place = {"flag": 0, "_without_nodes": 2}.get(ast.unparse(node.func).rpartition(".")[2])
            said += node.args[place : place + 1] if place is not None else []
            said += [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
        elif isinstance(node, ast.Assign) and any(ast.unparse(one).endswith(".flags") for one in node.targets):
            said.append(node.value)
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            said.append(node.value.elts[0])
    found = {part for one in said for part in ast.walk(one)}
    return {
        str(value)
        for part in found
        for value in [
            part.value if isinstance(part, ast.Constant) else names.get(part.id) if isinstance(part, ast.Name) else None
        ]
        if isinstance(value, str)
    }


def test_every_flag_that_the_code_can_set_is_explained_and_no_other() -> None:
    rows = LEDGER.split("\n## Flags\n")[1].split("\n## ")[0]
    explained = re.findall(r"^\| `([a-z_]+)` \| .+ \| .+ \|$", rows, re.M)
    places = python_files("telemetry/domain/accounting", "telemetry/services", "telemetry/sources")
    files = [*places, ROOT / "telemetry/domain/replacement.py", ROOT / "telemetry/domain/identities.py"]
    set_by_code = set().union(*(flags_set_in(file.read_text()) for file in files))
    assert sorted(explained) == sorted(set_by_code)


@pytest.mark.parametrize(
    "line",
    [
        'tally.flag("planted", "a sentence")',
        'FLAG = "planted"\nreplace(row, flags=(*row.flags, FLAG))',
        'row.flags = sorted({*row.flags, "planted"})',
        'def said():\n    yield "planted", "a sentence"',
    ],
)
def test_a_flag_is_seen_wherever_it_is_set(line: str) -> None:
    assert flags_set_in(line) == {"planted"}


def test_every_column_of_the_ledger_is_explained() -> None:
    columns = {field.name for model in (PoolHour, PoolHourQueue) for field in model._meta.fields} - {"id"}
    assert {*AMOUNTS, *QUEUE_AMOUNTS} <= columns
    assert {name for name in columns if f"`{name}`" not in LEDGER} == set()
    rows = LEDGER.split("\n## Quantities\n")[1].split("\n## ")[0]
    told = {name for cell in re.findall(r"^\| (`.+?) \|", rows, re.M) for name in re.findall(r"`(\w+)`", cell)}
    assert told == set(AMOUNTS)


def test_no_file_refers_to_papers_that_are_not_in_the_repository() -> None:
    files = list(written_files())
    assert {"README.md", "pyproject.toml", "ledger.md", "hold.py", "login.html"} <= {file.name for file in files}
    others = [file for file in files if file != Path(__file__)]
    assert [str(file.relative_to(ROOT)) for file in others if ELSEWHERE.search(file.read_text())] == []


@pytest.mark.parametrize("line", ["(DESIGN \N{SECTION SIGN}3)", "\N{SECTION SIGN} 4", "as (facts: states) say"])
def test_a_reference_to_an_absent_paper_is_seen(line: str) -> None:
    assert ELSEWHERE.search(line)


def test_a_parameter_called_facts_is_no_such_reference() -> None:
    assert not ELSEWHERE.search("def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:")


def test_every_page_and_heading_that_is_referred_to_exists() -> None:
    seen = set()
    for file in written_files():
        for named, at, linked, there in REFERENCE.findall(file.read_text()):
            if not (named or at or linked or there):
                continue
            page = ROOT / "docs" / named if named else file.parent / linked if linked else file
            heading = at or there
            assert page.exists(), f"{file.name}: {page.name}"
            if heading:
                seen.add(heading)
                assert heading in headings(page), f"{file.name}: {page.name}#{heading}"
    assert "whose-work-it-was" in seen


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them of its headings."""
    lines = re.findall(r"^#+ (.+)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in lines}
