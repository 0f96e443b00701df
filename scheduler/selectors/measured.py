"""What the allocator was measured at, as it is shipped."""

import json
from functools import cache
from pathlib import Path

from scheduler.domain.allocation.measured import Measured, UnableToReadMeasured, measured_of

FILE = Path(__file__).parent.parent / "measured" / "allocator.json"


@cache
def measured(file: Path = FILE) -> Measured | None:
    """The shipped figures; None where there are none. UnableToReadMeasured for a file that is something else."""
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return None
    try:
        return measured_of(json.loads(text))
    except json.JSONDecodeError as error:
        raise UnableToReadMeasured("The benchmark's file is not JSON.") from error
