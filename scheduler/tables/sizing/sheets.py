"""A sizing as sheets: what the page shows, and its CSV and workbook and the command's CSV hold."""

from collections.abc import Iterable, Mapping
from typing import Any

from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.sizing.question import Answer
from scheduler.tables.sizing.told import (
    band_told,
    curve_told,
    prices_told,
    regret_told,
    sensitivity_told,
    sizes_told,
    trace_told,
)

SHEETS = ("summary", "curve", "regret", "sensitivity", "band")

TITLES = {
    "summary": "The size in figures",
    "curve": "Every size",
    "regret": "What every other way costs",
    "sensitivity": "If q and L were otherwise",
    "band": "If other weeks had been seen",
}

About = tuple[tuple[str, str], ...]


def sizing_sheet(name: str, answer: Answer, *, pool: str | None = None, about: About = ()) -> Sheet:
    """One of ``SHEETS``; without rows where there is nothing of it."""
    columns, rows = _SHEETS[name](answer, pool)
    return Sheet(
        name, TITLES[name], columns, tuple(tuple(row[column.name] for column in columns) for row in rows), about
    )


def _money(answer: Answer) -> str:
    return answer.priced.prices.currency


Told = tuple[tuple[Column, ...], Iterable[Mapping[str, Any]]]


def _summary(answer: Answer, pool: str | None) -> Told:
    told = {"pool": pool, **trace_told(answer.sizing), **prices_told(answer), **sizes_told(answer)}
    unit = _money(answer)
    row: dict[str, Any] = {
        **told,
        **_parts("cost", told["cost"], ("reserved", "overflow", "total")),
        **_parts("adjusted_cost", told["adjusted_cost"], ("reserved", "overflow", "shortage", "total")),
        **_ends("plateau", told["plateau"]),
        **_ends("adjusted_plateau", told["adjusted_plateau"]),
    }
    columns = (
        Column("pool", "pool", Kind.TEXT),
        Column("start", "from", Kind.INSTANT),
        Column("end", "to", Kind.INSTANT),
        Column("hours", "hours", Kind.COUNT),
        Column("missing_hours", "missing", Kind.COUNT, "hours"),
        Column("not_held_hours", "nothing held", Kind.COUNT, "hours"),
        Column("coverage_share", "hours known", Kind.SHARE),
        Column("peak_nodes", "peak", Kind.COUNT, "nodes"),
        Column("mean_nodes", "mean", Kind.MONEY, "nodes"),
        Column("currency", "currency", Kind.TEXT),
        Column("on_demand_price", "on demand", Kind.MONEY, f"{unit} a node-hour".strip()),
        Column("reserved_price", "reserved", Kind.MONEY, f"{unit} a node-hour".strip()),
        Column("fail_probability", "launches that fail", Kind.SHARE, "", "fail_probability"),
        Column("shortage_cost", "a failed launch costs", Kind.MONEY, f"{unit} a node-hour".strip(), "shortage_cost"),
        Column("shortage_convention", "convention", Kind.TEXT),
        Column("break_even_share", "break-even", Kind.SHARE, "", "break_even"),
        Column("reserved_nodes", "by price", Kind.COUNT, "nodes", "rule_size"),
        Column("adjusted_break_even_share", "adjusted break-even", Kind.SHARE, "", "adjusted_break_even"),
        Column("adjusted_reserved_nodes", "adjusted", Kind.COUNT, "nodes", "adjusted_size"),
        Column("reason", "reason", Kind.TEXT),
        *(Column(name, _label(name), Kind.MONEY, unit) for name in _COSTS),
        *(Column(name, _label(name), Kind.COUNT, "nodes") for name in _NODES),
        Column("saving", "saving", Kind.MONEY, unit),
    )
    return columns, [row]


_COSTS = (
    "cost_reserved",
    "cost_overflow",
    "cost_total",
    "adjusted_cost_reserved",
    "adjusted_cost_overflow",
    "adjusted_cost_shortage",
    "adjusted_cost_total",
    "all_on_demand_cost",
    "all_reserved_cost",
)
_NODES = (
    "plateau_low",
    "plateau_high",
    "adjusted_plateau_low",
    "adjusted_plateau_high",
    "current_nodes",
    "spare_nodes",
    "headroom_nodes",
    "minimum_block_nodes",
    "maximum_block_nodes",
    "to_hold_nodes",
)


def _label(name: str) -> str:
    return name.removesuffix("_nodes").replace("_", " ")


def _parts(name: str, told: Mapping[str, Any] | None, parts: Iterable[str]) -> dict[str, Any]:
    return {f"{name}_{part}": told[part] if told else None for part in parts}


def _ends(name: str, told: list[int] | None) -> dict[str, Any]:
    low, high = told or (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def _curve(answer: Answer, _pool: str | None) -> Told:
    unit = _money(answer)
    columns = (
        Column("nodes", "held", Kind.COUNT, "nodes"),
        Column("hours_share", "last one needed", Kind.SHARE, "of hours", "load_duration_curve"),
        Column("reserved_cost", "reserved", Kind.MONEY, unit),
        Column("overflow_cost", "overflow", Kind.MONEY, unit, "overflow"),
        Column("total_cost", "total", Kind.MONEY, unit),
        Column("regret", "regret", Kind.MONEY, unit, "regret"),
        Column("adjusted_overflow_cost", "overflow, adjusted", Kind.MONEY, unit),
        Column("shortage_cost", "shortage", Kind.MONEY, unit, "shortage_cost"),
        Column("adjusted_total_cost", "total, adjusted", Kind.MONEY, unit),
        Column("adjusted_regret", "regret, adjusted", Kind.MONEY, unit),
    )
    return columns, curve_told(answer.sizing)


def _regret(answer: Answer, _pool: str | None) -> Told:
    unit = _money(answer)
    columns = (
        Column("way", "way", Kind.TEXT),
        Column("nodes", "held", Kind.COUNT, "nodes"),
        Column("total_cost", "total", Kind.MONEY, unit),
        Column("regret", "regret", Kind.MONEY, unit, "regret"),
        Column("adjusted_total_cost", "total, adjusted", Kind.MONEY, unit),
        Column("adjusted_regret", "regret, adjusted", Kind.MONEY, unit),
        Column("reason", "why not", Kind.TEXT),
    )
    return columns, regret_told(answer.sizing)


def _sensitivity(answer: Answer, _pool: str | None) -> Told:
    unit = _money(answer)
    columns = (
        Column("fail_probability", "launches that fail", Kind.SHARE, "", "fail_probability"),
        Column("shortage_cost", "a failed launch costs", Kind.MONEY, f"{unit} a node-hour".strip(), "shortage_cost"),
        Column("adjusted_break_even_share", "adjusted break-even", Kind.SHARE, "", "adjusted_break_even"),
        Column("adjusted_reserved_nodes", "adjusted", Kind.COUNT, "nodes", "adjusted_size"),
        Column("regret", "regret of the proposal", Kind.MONEY, unit, "regret"),
    )
    return columns, sensitivity_told(answer.sizing)


def _band(answer: Answer, _pool: str | None) -> Told:
    columns = (
        Column("nodes", "size", Kind.COUNT, "nodes"),
        Column("draws", "draws, by price", Kind.COUNT),
        Column("adjusted_draws", "draws, adjusted", Kind.COUNT),
    )
    told = band_told(answer.sizing)
    if told is None:
        return columns, []
    rule = {one["nodes"]: one["draws"] for one in told["reserved_nodes"]["counts"]}
    adjusted = told["adjusted_reserved_nodes"]
    also = {one["nodes"]: one["draws"] for one in adjusted["counts"]} if adjusted else {}
    nodes = sorted(rule.keys() | also.keys())
    return columns, [
        {"nodes": n, "draws": rule.get(n, 0), "adjusted_draws": also.get(n, 0) if adjusted else None} for n in nodes
    ]


_SHEETS = {"summary": _summary, "curve": _curve, "regret": _regret, "sensitivity": _sensitivity, "band": _band}
