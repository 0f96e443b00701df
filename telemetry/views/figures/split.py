"""Who used it and what it ran: busy time by team and by workload."""

from collections.abc import Callable, Iterable

from telemetry.charts import split as chart
from telemetry.domain.split import Part, QueueUse, by_team, by_workload, folded
from telemetry.tables import split
from telemetry.views.figures.figure import Figure
from telemetry.views.figures.material import Material

Splitting = Callable[[Iterable[QueueUse], int], tuple[Part, ...]]


def used_by_team(material: Material) -> Figure:
    """Busy and allocated time by team."""
    return _split(material, split.BY_TEAM, by_team, "Busy GPU-hours by team")


def used_by_workload(material: Material) -> Figure:
    """Busy and allocated time by workload."""
    return _split(material, split.BY_WORKLOAD, by_workload, "Busy GPU-hours by workload")


def _split(material: Material, name: str, splitting: Splitting, label: str) -> Figure:
    known = bool(material.queues) and material.busy is not None
    parts = splitting(material.queues, material.busy or 0) if known else ()
    drawn = folded(parts)
    return Figure(
        name=name,
        title=split.TITLES[name],
        summary=split.split_summary(parts) if parts else "",
        sheet=split.split_sheet(name, parts),
        twin=split.split_twin(name, parts),
        label=label,
        chart=chart.figure(drawn) if parts else None,
        key=tuple(chart.key(drawn)),
        shape=f"chart-rows chart-rows-{len(drawn)}",
        why_empty="" if parts else split.why_no_split(len(material.use), material.busy),
    )
