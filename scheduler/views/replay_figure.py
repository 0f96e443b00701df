"""The one figure of a replay: what the month would have been worth on every size."""

from collections.abc import Mapping

from reservations.domain import notation
from scheduler.charts.replay import value as value_chart
from scheduler.selectors.replays import Replayed
from scheduler.tables.replay.sheets import About, replay_sheet, shown_sheet
from scheduler.tables.replay.words import sizes_words
from telemetry.views.figures.figure import Figure

KEY = (("cost-reserved", "delivers as much as today's size"), ("cost-overflow", "falls short"))


def about_of(found: Replayed, reader: str) -> About:
    """What a downloaded sheet is of."""
    document = found.document
    return (
        ("pool", str(document["pool"])),
        ("month", str(document["month"])),
        ("replayed", notation.instant(found.row.asked_at)),
        ("hours known", f"{document['known_hours']} of {document['hours']}"),
        ("nodes held", str(document["current_nodes"])),
        ("packed size", str(document["packed_nodes"])),
        ("inputs", str(document["inputs_hash"])),
        ("user", reader),
    )


def value_figure(found: Replayed, *, files: Mapping[str, str], reader: str) -> Figure:
    """The figure of a replay that says something."""
    document = found.document
    packed, current = document["packed_nodes"], document["current_nodes"]
    chart = value_chart.figure(document["sizes"], current=current, packed=packed, least=document["least_value"])
    return Figure(
        name="sizes",
        title="The month on every size",
        summary=sizes_words(document),
        sheet=replay_sheet(document, about=about_of(found, reader)),
        twin=shown_sheet(document),
        label="Value of the month on every number of nodes",
        chart=chart,
        key=KEY,
        shape="chart-size",
        term="packed_size",
        term_label="packed size",
        about=str(document["pool"]),
        file=f"moorage-replay-{document['pool']}-{document['month']}",
        csv=files["csv"],
        xlsx=files["xlsx"],
    )
