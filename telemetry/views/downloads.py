"""The downloads beside the figures of a month."""

from dataclasses import dataclass

from django.http import HttpRequest

from reservations.domain import notation
from telemetry.tables.month_sheets import About
from telemetry.views.addresses import kept, sheet_address
from telemetry.views.asked import Asked

TITLES = {
    "tiles": "Figures",
    "break-even": "Does holding pay",
    "currencies": "Paid by currency",
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


def behind(request: HttpRequest, asked: Asked, sheet: str, title: str) -> Download:
    """One table of what is behind a number, with the day or the step that was asked for."""
    return Download(
        csv=f"{sheet_address(asked, sheet, 'csv')}{kept(request)}",
        xlsx=f"{sheet_address(asked, sheet, 'xlsx')}{kept(request)}",
        title=f"{asked.pool.name if asked.pool else 'All pools'}: {title[0].lower()}{title[1:]}",
        file=stem(asked, sheet),
    )


def stem(asked: Asked, sheet: str) -> str:
    """The name of a file of a month's figures, without its suffix."""
    return f"moorage-{asked.pool.name if asked.pool else 'fleet'}-{asked.month:%Y-%m}-{sheet}"


def about(asked: Asked, step: str = "") -> About:
    """What a file says of itself: whose figures, of which hours, by which clock and as of when."""
    whose = asked.pool.name if asked.pool else ", ".join(pool.name for pool in asked.shown)
    said = [
        ("pools", whose),
        ("from", notation.instant(asked.period.start, asked.zone)),
        ("to", notation.instant(asked.period.end, asked.zone)),
        ("to date until", notation.instant(asked.until, asked.zone) if asked.to_date else ""),
        ("day", asked.day.isoformat() if asked.day else ""),
        ("step", step),
        ("accounting zone", notation.zone_name(asked.zone)),
        ("owner", asked.owner),
        ("all owners but", asked.without),
        ("team", asked.team),
        ("read", notation.instant(asked.as_of)),
        ("by", asked.person.name),
    ]
    return tuple((label, text) for label, text in said if text)
