"""What was paid twice."""

from telemetry.tables import double_pay as tables
from telemetry.views.figures.figure import Figure
from telemetry.views.figures.material import Material


def instances_paid_twice(material: Material) -> Figure:
    """On-demand instances beside free slots that fit them, with their probable cause."""
    found = material.paid_twice
    why, then = tables.why_no_double_pay(found)
    return Figure(
        name=tables.NAME,
        title=tables.TITLE,
        summary="" if why else tables.double_pay_summary(found),
        sheet=tables.double_pay_sheet(found),
        twin=tables.double_pay_twin(found, pools=material.asked.pool is None),
        why_empty=why,
        what_next=then,
        term="double_pay",
        term_label="double pay",
    )
