"""Demand and growth for a sizing that came in files instead of from the ledger."""

from decimal import Decimal
from pathlib import Path

from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.growth_text import growth_lines
from scheduler.domain.sizing.prices import UnableToSize
from telemetry.domain.demand import DemandTrace, UnableToUseDemand, trace_of_rows
from telemetry.domain.trace import TraceKind, TraceQuestion, UnableToReadTrace
from telemetry.sources import trace as trace_file

MOST_BYTES = 1_000_000


def demand_in(*, path: Path, gpus_per_node: Decimal | None = None) -> DemandTrace:
    """The demand that a CSV file tells; UnableToSize, with a sentence for each mistake, for what is none."""
    try:
        return trace_of_rows(trace_file.fetch(TraceQuestion(path, TraceKind.DEMAND, gpus_per_node)).demand)
    except (UnableToReadTrace, UnableToUseDemand) as unable:
        raise UnableToSize(str(unable)) from unable


def growth_in(*, path: Path) -> tuple[GrowthLine, ...]:
    """The committed lines of a CSV file; UnableToSize for one that can't be read or is none."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnableToSize(f"{path} can't be read: {(error.strerror or str(error)).lower()}") from error
    if len(content) > MOST_BYTES:
        raise UnableToSize(f"{path.name} is larger than 1 MB: that is no list of committed growth")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnableToSize(f"{path.name} is not UTF-8 text: save it as UTF-8") from error
    return growth_lines(text, name=path.name)
