"""The downloads beside the figures of a month."""

from dataclasses import dataclass

from django.http import HttpRequest

from reservations.domain import notation
from telemetry.views.addresses import kept, sheet_address
from telemetry.views.asked import Asked

TITLES = {
    "tiles": "Figures",
    "waterfall": "Where the reserved hours went",
    "by-hour": "Hour by hour",
    "by-day": "By day",
    "pools": "Pools",
}


@dataclass(frozen=True, slots=True)
class Download:
    """The addresses of one table as CSV and as a workbook; ``title`` says of what, ``file`` names a picture of it."""

    csv: str
    xlsx: str
    title: str
    file: str


def downloads(request: HttpRequest, asked: Asked) -> dict[str, Download]:
    """Every table of a month's page, by its name as templates can write it."""
    query = kept(request, day=None, step=None)
    whose = asked.pool.name if asked.pool else "All pools"
    return {
        name.replace("-", "_"): Download(
            csv=f"{sheet_address(asked, name, 'csv')}{query}",
            xlsx=f"{sheet_address(asked, name, 'xlsx')}{query}",
            title=f"{whose}, {notation.month(asked.month)}: {title[0].lower()}{title[1:]}",
            file=stem(asked, name),
        )
        for name, title in TITLES.items()
    }


def stem(asked: Asked, sheet: str) -> str:
    """The name of a file of a month's figures, without its suffix."""
    return f"moorage-{asked.pool.name if asked.pool else 'fleet'}-{asked.month:%Y-%m}-{sheet}"
