"""The repository's own files, as the guards look at them."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("config", "reservations", "telemetry", "scheduler")


def python_files(*folders: str) -> Iterator[Path]:
    """Every module of these folders but migrations."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def function_lengths(source: str) -> dict[str, int]:
    """Lines from ``def`` to the last one, by name and line."""
    return {
        f"{node.name}:{node.lineno}": (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
