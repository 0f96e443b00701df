"""When it is busy: the heat map of the week."""

from datetime import UTC, tzinfo
from functools import cache
from zoneinfo import available_timezones

from reservations.domain import notation
from telemetry.charts import week as chart
from telemetry.domain.week import hours_of_week
from telemetry.tables import week
from telemetry.views.addresses import week_address
from telemetry.views.figures.figure import Figure
from telemetry.views.figures.material import Material

CONTINENTS = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")


def hour_of_week(material: Material) -> Figure:
    """Busy ÷ reserved for each hour of each weekday, by the clock of a chosen zone."""
    zone = material.asked.week_zone
    cells = hours_of_week(material.use, zone)
    summary = week.week_summary(cells, zone)
    return Figure(
        name=week.NAME,
        title=week.TITLE,
        summary=summary,
        sheet=week.week_sheet(cells),
        twin=week.clock_sheet(cells),
        label="Heat map of the hours of the week",
        chart=chart.figure(cells, zone) if summary else None,
        key=(("missing", "not known"),) if summary and any(cell.share is None for cell in cells) else (),
        shape="chart-week",
        why_empty="" if summary else week.why_no_week(len(material.use)),
        term="busy_share",
        term_label="busy ÷ reserved",
        template="telemetry/figures/hour_of_week.html",
        more={
            "zone": notation.zone_name(zone),
            "choices": _choices(material),
            "zones": zone_names(),
            "address": week_address(material.asked),
            "kept": [(name, value) for name, value in material.request.GET.items() if name != "zone"],
        },
    )


def _choices(material: Material) -> list[tuple[str, str]]:
    """The zones that are asked for most, each once: (IANA name, whose it is)."""
    named: dict[str, str] = {}
    zones: tuple[tuple[tzinfo, str], ...] = (
        (material.asked.zone, "accounting"),
        (material.seen, "yours"),
        (UTC, ""),
    )
    for zone, whose in zones:
        named.setdefault(notation.zone_name(zone), whose)
    return list(named.items())


@cache
def zone_names() -> tuple[str, ...]:
    """The zones of places, to be offered while one types."""
    return tuple(sorted(name for name in available_timezones() if name.startswith(CONTINENTS)))
