"""What teams lent each other."""

from telemetry.charts import lending as chart
from telemetry.domain.lending import Lending, lending
from telemetry.tables import lending as tables
from telemetry.views.figures.figure import Figure
from telemetry.views.figures.material import Material


def lent_and_borrowed(material: Material) -> Figure:
    """Hours lent and borrowed by each team."""
    told = _told(material)
    drawn = chart.drawn(told.balances)
    return Figure(
        name=tables.NAME,
        title=tables.TITLE,
        summary=_summary(told, material.asked.team) if material.queues else "",
        sheet=tables.lending_sheet(told),
        label="GPU-hours lent and borrowed by team",
        chart=chart.figure(drawn, [tables.team_name(one.team) for one in drawn]) if drawn else None,
        key=(("borrower_busy", "borrowed"), ("owner_busy", "lent")) if drawn else (),
        shape=f"chart-rows chart-rows-{len(drawn)}",
        why_empty=tables.why_no_lending(material.hours, material.queues),
    )


def _summary(told: Lending, team: str) -> str:
    return tables.team_summary(told, team) if team else tables.lending_summary(told)


def lent_to_whom(material: Material) -> Figure:
    """Each lender with each of its borrowers."""
    told = _told(material)
    return Figure(
        name=tables.PAIRS,
        title=tables.PAIRS_TITLE,
        summary=tables.pairs_summary(told) if material.queues else "",
        sheet=tables.pairs_sheet(told),
        why_empty=tables.why_no_lending(material.hours, material.queues),
    )


def _told(material: Material) -> Lending:
    return lending(material.queues, {pool.id: pool.owner for pool in material.pools}).of(material.asked.team)
