"""Which version of the rules made a recommendation: a digest of their own source."""

from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path

RULES = (
    "reservations.domain.break_even",
    "scheduler.domain.recommendation",
    "scheduler.domain.sizing",
    "telemetry.domain.demand",
    "telemetry.domain.load_duration",
)


@lru_cache(maxsize=1)
def code_version() -> str:
    """The first sixteen hex digits of SHA-256 over the source of every module of the rules, in order of their names."""
    digest = sha256()
    for name in RULES:
        for path in _files(name):
            digest.update(f"{name}/{path.name}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(name: str) -> list[Path]:
    file = Path(str(import_module(name).__file__))
    return sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]
