"""What the allocator's benchmark found, read back from its file.

The file is what ``benchmark_allocator --format json`` writes, kept as ``scheduler/measured/allocator.json``: an object
with ``figures``, one a case and measure (``part``, ``case``, ``measure``, ``unit``, ``count``, and the spread ``mean``,
``least``, ``p10``, ``median``, ``p90``, ``most``), ``targets`` (``part``, ``case``, ``measure``, ``figure``, ``aim``,
``reached``, ``met``), and, if somebody wrote it in, ``about``: pairs of words such as machine and day.
Shares are ratios of 1, times in ``ms`` or ``s``, as ``unit`` says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

SPREAD = ("mean", "least", "p10", "median", "p90", "most")
_AIMED = ("part", "case", "measure", "figure", "aim")


class UnableToReadMeasured(ValueError):
    """The file is not what the benchmark writes; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Spread:
    """One measure of one case over ``count`` values, in ``unit``."""

    part: str
    case: str
    measure: str
    unit: str
    count: int
    mean: float
    least: float
    p10: float
    median: float
    p90: float
    most: float


@dataclass(frozen=True, slots=True)
class Aimed:
    """A target: ``aim`` in words (``≤ 0.004``), what was reached, and whether that meets it."""

    part: str
    case: str
    measure: str
    figure: str
    aim: str
    reached: float
    met: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything one run of the benchmark found."""

    figures: tuple[Spread, ...]
    targets: tuple[Aimed, ...]
    about: tuple[tuple[str, str], ...] = ()

    def of(self, part: str, measure: str) -> tuple[Spread, ...]:
        """One measure of every case of a part, in the order of the file."""
        return tuple(one for one in self.figures if one.part == part and one.measure == measure)


def measured_of(read: object) -> Measured:
    """The findings that the JSON of a file is; UnableToReadMeasured names the first entry that is not as it must be."""
    if not isinstance(read, Mapping):
        raise UnableToReadMeasured("The benchmark's file is no object with “figures”.")
    about = read.get("about", {})
    if not isinstance(about, Mapping):
        raise UnableToReadMeasured("The benchmark's file has an “about” that is no object.")
    return Measured(
        figures=tuple(_spread(place, row) for place, row in enumerate(_listed(read, "figures"))),
        targets=tuple(_aimed(place, row) for place, row in enumerate(_listed(read, "targets"))),
        about=tuple((str(name), str(value)) for name, value in about.items()),
    )


def _listed(read: Mapping[object, object], name: str) -> list[object]:
    rows = read.get(name, [])
    if not isinstance(rows, list):
        raise UnableToReadMeasured(f"The benchmark's file has “{name}” that is no list.")
    return rows


def _spread(place: int, row: object) -> Spread:
    where = f"figure {place + 1}"
    part, case, measure, unit = (_text(where, row, name) for name in ("part", "case", "measure", "unit"))
    mean, *ordered = (_number(where, row, name) for name in SPREAD)
    if ordered != sorted(ordered):
        raise UnableToReadMeasured(f"The benchmark's file has a spread out of order in {where}.")
    return Spread(part, case, measure, unit, round(_number(where, row, "count")), mean, *ordered)


def _aimed(place: int, row: object) -> Aimed:
    where = f"target {place + 1}"
    part, case, measure, figure, aim = (_text(where, row, name) for name in _AIMED)
    met = row.get("met") if isinstance(row, Mapping) else None
    if not isinstance(met, bool):
        raise UnableToReadMeasured(f"The benchmark's file has no “met” in {where}.")
    return Aimed(part, case, measure, figure, aim, _number(where, row, "reached"), met)


def _text(where: str, row: object, name: str) -> str:
    value = row.get(name) if isinstance(row, Mapping) else None
    if not isinstance(value, str):
        raise UnableToReadMeasured(f"The benchmark's file has no text “{name}” in {where}.")
    return value


def _number(where: str, row: object, name: str) -> float:
    value = row.get(name) if isinstance(row, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise UnableToReadMeasured(f"The benchmark's file has no number “{name}” in {where}.")
    return float(value)
