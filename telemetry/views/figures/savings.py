"""What reserving saved, covered and wasted."""

from telemetry.tables import savings as tables
from telemetry.views.figures.figure import Figure
from telemetry.views.figures.material import Material


def what_reserving_saved(material: Material) -> Figure:
    """The effective savings rate, coverage and waste of each pool and of all together."""
    together, each = material.saved
    whole = together if len(each) > 1 else each[0]
    return Figure(
        name=tables.NAME,
        title=tables.TITLE,
        summary=tables.savings_summary(whole),
        sheet=tables.savings_sheet(together, each),
        why_empty="" if material.hours else "No hour of this month is in the ledger.",
    )
