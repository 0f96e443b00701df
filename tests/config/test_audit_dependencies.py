"""What `make lint` makes of the advisory service's answer."""

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "audit_dependencies.py"
KNOWN = {"name": "sound", "version": "1", "vulns": []}
UNKNOWN = {"name": "ours", "version": "1", "skip_reason": "not found"}
FAULTY = {"name": "bad", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([], 0, "nothing was audited"),
        ([UNKNOWN, UNKNOWN], 0, "nothing was audited"),
        ([KNOWN, UNKNOWN], 0, "knows 1 of 2 packages"),
        ([KNOWN], 0, "no known fault, says the advisory service."),
        ([KNOWN, FAULTY, UNKNOWN], 1, "bad 1: PYSEC-1, mended in 2"),
    ],
)
def test_a_known_fault_fails_and_silence_is_told(packages: list[dict], code: int, said: str) -> None:
    found, lines = runpy.run_path(str(SCRIPT))["verdict"](packages)
    assert found == code
    assert said in "\n".join(lines)
    assert len(lines) == 1
