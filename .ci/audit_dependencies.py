"""Asks the advisory service about each package of requirements.lock: fails for a known fault, not for its silence."""

import json
import subprocess  # nosec B404
import sys
from pathlib import Path

LOCK = Path(__file__).resolve().parent.parent / "requirements.lock"
LONGEST_WAIT = 90
ASK = ["-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off", "--timeout", "10"]


def answer() -> list[dict]:
    """What the service says of each package; empty where it cannot be reached in time."""
    command = [sys.executable, *ASK, "--format", "json", "--requirement", str(LOCK)]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_WAIT)  # noqa: S603 # nosec B603
        return json.loads(told.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return []


def verdict(packages: list[dict]) -> tuple[int, list[str]]:
    """The exit code and what to say."""
    faults = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'nothing yet'}"
        for one in packages
        for fault in one.get("vulns", ())
    ]
    if faults:
        return 1, [f"pip-audit: {line}" for line in faults]
    known = sum("vulns" in one for one in packages)
    if not known:
        return 0, ["pip-audit: the advisory service could not be reached or knows no package: nothing was audited."]
    rest = f", which knows {known} of {len(packages)} packages" if known < len(packages) else ""
    return 0, [f"pip-audit: no known fault, says the advisory service{rest}."]


if __name__ == "__main__":
    code, lines = verdict(answer())
    print("\n".join(lines), file=sys.stderr)  # noqa: T201
    sys.exit(code)
