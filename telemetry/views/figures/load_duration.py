"""How many nodes were needed: the load-duration curve of one pool."""

from telemetry.charts import load_duration as chart
from telemetry.domain.load_duration import load_duration_curve, mean_nodes, whole_nodes
from telemetry.tables import demand, load_duration
from telemetry.tables.load_duration import Loads
from telemetry.views.addresses import kept, sheet_address
from telemetry.views.figures.figure import Figure, even_key
from telemetry.views.figures.material import Material

NOT_TOGETHER = "Nodes of different pools can't stand in for each other, so there is no curve of all of them."
TEMPLATE = "telemetry/figures/load_duration.html"
OPEN_ONE = "Open one pool to see how many of its nodes were needed."


def load_curve(material: Material) -> Figure:
    """Demand and busy in whole nodes, against what is reserved and the break-even."""
    loads = _loads(material) if len(material.pools) == 1 else None
    summary = load_duration.load_summary(loads) if loads else ""
    together = len(material.pools) > 1
    return Figure(
        name=load_duration.NAME,
        title=load_duration.TITLE,
        summary=summary,
        sheet=load_duration.load_sheet(loads) if loads else load_duration.EMPTY,
        label="Load-duration curve",
        chart=_chart(loads) if loads and summary else None,
        key=_key(loads) if loads else (),
        shape="chart-load",
        why_empty="" if summary else NOT_TOGETHER if together else load_duration.why_no_load(len(material.use)),
        what_next=OPEN_ONE if together else "",
        term="load_duration_curve",
        term_label="load-duration curve",
        template=TEMPLATE,
        more=_hours(material) if loads and loads.demand.hours else {},
    )


def _hours(material: Material) -> dict[str, object]:
    """Where the demand of each hour is downloaded, as a file that can be imported."""
    query = kept(material.request, day=None, step=None)
    addresses = {suffix: f"{sheet_address(material.asked, demand.NAME, suffix)}{query}" for suffix in ("csv", "xlsx")}
    return {**addresses, "title": demand.TITLE}


def _chart(loads: Loads) -> dict[str, object]:
    return chart.figure(loads.demand, loads.busy, loads.reserved, loads.break_even, loads.adjusted)


def _key(loads: Loads) -> tuple[tuple[str, str], ...]:
    needed = (("demand", "needed (held and queued)"),) if loads.demand.hours else ()
    busy = (("busy-line", "busy"),) if loads.busy.hours else ()
    return (*needed, *busy, *even_key(loads.break_even, loads.adjusted))


def _loads(material: Material) -> Loads:
    gpus = material.pools[0].gpus_per_node
    busy = [row.busy for row in material.use if row.busy is not None]
    return Loads(
        demand=load_duration_curve(material.needed.nodes),
        busy=load_duration_curve(whole_nodes(amount, gpus) for amount in busy),
        reserved=mean_nodes([row.reserved for row in material.use if row.reserved is not None], gpus),
        break_even=material.worth.break_even,
        adjusted=material.worth.adjusted,
        bound_only=material.needed.bound_only,
    )
