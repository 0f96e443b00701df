import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WRITERS = {"writer", "DictWriter"}


def writes_csv(path: Path) -> bool:
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)]
    return any(node.attr in WRITERS and isinstance(node.value, ast.Name) and node.value.id == "csv" for node in calls)


def test_all_csv_is_written_in_one_place() -> None:
    files = [path for app in ("reservations", "telemetry", "scheduler") for path in (ROOT / app).rglob("*.py")]
    assert [str(path.relative_to(ROOT)) for path in files if writes_csv(path)] == ["reservations/tables/writing.py"]
