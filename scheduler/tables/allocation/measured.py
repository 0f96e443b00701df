"""What the allocator's benchmark found, in words and tables, beside what a published article says of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.allocation.measured import Measured, Spread

CASES = {
    "mixed": "mixed",
    "realtime_contention": "real-time contention",
    "training_heavy": "training-heavy",
    "fragmentation": "fragmentation",
    "priority_inversion": "priority inversion",
}


@dataclass(frozen=True, slots=True)
class Plot:
    """One measure over all cases; axis values are the file's × ``scale``, in ``unit``."""

    name: str
    title: str
    sources: tuple[tuple[str, str], ...]
    scale: float
    unit: str
    about: str
    term: str = ""


PLOTS = (
    Plot(
        "gap", "How far fast mode is from the best possible", (("small", "fast: gap to the bound"),
        ("larger", "fast: gap to the bound")), 100, "% of the bound", "0 is proved best", "gap",
    ),
    Plot(
        "gain", "Value over first come, first served", (("orders", "value over FIFO"),), 100, "%",
        "the same jobs in many orders of arrival", "fifo",
    ),
    Plot(
        "used", "Utilization over first come, first served", (("orders", "utilization over FIFO"),), 1, "points",
        "the same jobs in many orders of arrival", "utilization",
    ),
    Plot(
        "time", "Latency of fast mode", (("small", "fast: time"), ("larger", "fast: time")), 1, "ms",
        "the allocator with its set-up, after warm-up",
    ),
    Plot(
        "proof", "How long full mode takes", (("small", "full: time"),), 1, "s", "until it has its proof or gives up",
    ),
)  # fmt: skip

_COLUMNS = (
    Column("part", "part", Kind.TEXT),
    Column("case", "case", Kind.TEXT),
    Column("measure", "measure", Kind.TEXT),
    Column("unit", "unit", Kind.TEXT),
    Column("count", "values", Kind.COUNT),
)
_SPREAD = tuple((name, Column(name, label, Kind.TEXT)) for name, label in (
    ("least", "least"), ("p10", "10 % below"), ("median", "median"), ("mean", "mean"), ("p90", "90 % below"),
    ("most", "most"),
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArticleRow:
    """A row of the article's table, and the measured case that is of its kind; blank where there is none."""

    name: str
    size: str
    used: str
    points: float
    value: float
    latency: str
    part: str
    case: str


ARTICLE = (
    ArticleRow("Mixed control", "8 GPUs, 10 jobs", "51.6 → 72.4 %", 20.8, 54.8, "1 ms", "small", "mixed"),
    ArticleRow(
        "Real-time contention", "8 GPUs, 8 jobs", "75.0 → 80.2 %", 5.2, 24.6, "1 ms", "small", "realtime_contention"
    ),
    ArticleRow("Training-heavy", "8 GPUs, 16 jobs", "53.6 → 87.0 %", 33.4, 105.1, "1–2 ms", "small", "training_heavy"),
    ArticleRow("Scale", "64 GPUs, 30 jobs", "44.9 → 44.9 %", 0.0, 15.9, "15 ms", "larger", "64 × 30, uncontended"),
)


@dataclass(frozen=True, slots=True)
class ArticleLine:
    """The article's row, and what was measured on our own instances of that kind, in words."""

    row: ArticleRow
    points: str
    value: str
    latency: str
    gap: str


@dataclass(frozen=True, slots=True)
class AimLine:
    """A target as the page shows it."""

    what: str
    case: str
    aim: str
    reached: str
    met: bool


def spreads_of(found: Measured, plot: Plot) -> list[Spread]:
    """What a plot shows."""
    return [one for part, measure in plot.sources for one in found.of(part, measure)]


def case_name(case: str) -> str:
    """A case as it is read."""
    return CASES.get(case, case)


def spread_words(plot: Plot, one: Spread) -> str:
    """One row of a plot in a sentence."""
    low, mid, high, most = (_value(value * plot.scale) for value in (one.p10, one.median, one.p90, one.most))
    return (
        f"{case_name(one.case)}: median {mid}, from {low} (10 %) to {high} (90 %), at most {most} {plot.unit}; "
        f"{notation.grouped(one.count)} values"
    )


def plot_summary(plot: Plot, rows: Sequence[Spread]) -> str:
    """A plot in one sentence: its medians and its worst."""
    medians = sorted((one.median, case_name(one.case)) for one in rows)
    (low, first), (high, last) = medians[0], medians[-1]
    spread = f"from {_value(low * plot.scale)} ({first}) to {_value(high * plot.scale)} ({last})"
    if len(rows) == 1 or _value(low * plot.scale) == _value(high * plot.scale):
        spread = _value(high * plot.scale)
    return f"Medians {spread} {plot.unit}; {plot.about}."


def article_lines(found: Measured | None) -> list[ArticleLine]:
    """The article's rows; a dash where nothing of that kind was measured."""
    return [_article(row, found) for row in ARTICLE]


def aim_lines(found: Measured | None) -> list[AimLine]:
    """Every target and whether it was met."""
    return [
        AimLine(f"{one.measure}, {one.figure}", case_name(one.case), one.aim, _value(one.reached), one.met)
        for one in (found.targets if found else ())
    ]


def measured_sheet(found: Measured, title: str = "Benchmark") -> Sheet:
    """One row for each measure of each case."""
    columns = (*_COLUMNS, *(Column(name, column.label, Kind.MONEY) for name, column in _SPREAD))
    rows = tuple(
        (
            one.part, case_name(one.case), one.measure, one.unit, one.count,
            *(Decimal(repr(getattr(one, name))) for name, _ in _SPREAD),
        )
        for one in found.figures
    )  # fmt: skip
    return Sheet("benchmark", title, columns, rows, found.about)


def _article(row: ArticleRow, found: Measured | None) -> ArticleLine:
    def words(part: str, measure: str, scale: float, unit: str) -> str:
        ours = next((one for one in found.of(part, measure) if one.case == row.case), None) if found else None
        if ours is None:
            return notation.UNKNOWN
        low, mid, high = (_value(value * scale) for value in (ours.p10, ours.median, ours.p90))
        return f"{mid}{unit} ({low} to {high})"

    return ArticleLine(
        row,
        words("orders", "utilization over FIFO", 1, ""),
        words("orders", "value over FIFO", 100, f"{notation.THIN}%"),
        words(row.part, "fast: time", 1, f"{notation.THIN}ms"),
        words(row.part, "fast: gap to the bound", 100, f"{notation.THIN}%"),
    )


def _value(value: float) -> str:
    """Two significant digits, whole from 100 on."""
    size = abs(value)
    places = 0 if size >= 100 or value == 0 else 1 if size >= 10 else 2 if size >= 0.1 else 3 if size >= 0.01 else 4
    return notation.grouped(Decimal(repr(value)), places)
