"""Who used it and what it ran: busy time by team and by workload."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from telemetry.charts import split as chart
from telemetry.domain.split import Part, QueueUse, by_team, by_workload, folded, queue_busy
from telemetry.tables import split
from telemetry.views.addresses import kept, month_address
from telemetry.views.figures.figure import Figure, Narrowed
from telemetry.views.figures.material import Material

Splitting = Callable[[Iterable[QueueUse], int], tuple[Part, ...]]


def used_by_team(material: Material) -> Figure:
    """Busy and allocated time by team: of all of them, since it is here that one is chosen."""
    figure = _split(material, split.BY_TEAM, by_team, "Busy GPU-hours by team", material.queues, material.busy)
    return replace(figure, narrowed=_narrowed(material), template="telemetry/figures/by_team.html")


def used_by_workload(material: Material) -> Figure:
    """Busy and allocated time by workload, of one team where one was asked for."""
    label = "Busy GPU-hours by workload"
    team = material.asked.team
    if not team:
        return _split(material, split.BY_WORKLOAD, by_workload, label, material.queues, material.busy)
    queues = [row for row in material.queues if row.team == team]
    busy = sum(queue_busy(row) for row in queues) if material.busy is not None else None
    figure = _split(material, split.BY_WORKLOAD, by_workload, label, queues, busy)
    why = f"No queue of {team} used GPUs in this month." if material.queues and not queues else figure.why_empty
    return replace(figure, title=f"{figure.title}, {team}", why_empty=why)


def _narrowed(material: Material) -> tuple[Narrowed, ...]:
    """Each team that has queues here, by name."""
    asked, request = material.asked, material.request
    here = month_address(asked)
    teams = sorted({row.team for row in material.queues if row.team} | ({asked.team} - {""}))
    return tuple(
        Narrowed(team, f"{here}{kept(request, team=None if current else team)}#{split.BY_TEAM}", current)
        for team in teams
        for current in [team == asked.team]
    )


def _split(
    material: Material, name: str, splitting: Splitting, label: str, queues: Sequence[QueueUse], busy: int | None
) -> Figure:
    known = bool(queues) and busy is not None
    parts = splitting(queues, busy or 0) if known else ()
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
        why_empty="" if parts else split.why_no_split(material.hours, busy),
    )
