"""The tables of one reservation's page as files."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.held_now import ReservationRow
from reservations.selectors.reservation_detail import dated_sizes, raw_fields
from reservations.selectors.reservation_detail import observations as seen_by_sweeps
from reservations.tables.reservation_sheets import (
    changes_sheet,
    observations_sheet,
    pools_sheet,
    raw_sheet,
    sizes_sheet,
)
from reservations.tables.sheet import Sheet
from reservations.tables.told_raw import told_raw
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from reservations.views.reservation_detail import events_of, found, leave, seen_pools

MOST = 9_000
"""So many observations stand in a file, the newest: a month at five minutes; more would keep a workbook waiting."""

About = tuple[tuple[str, str], ...]


def _sizes(_request: HttpRequest, row: ReservationRow, about: About) -> Sheet:
    return sizes_sheet(dated_sizes(pk=row.id), about)


def _pools(request: HttpRequest, row: ReservationRow, about: About) -> Sheet:
    return pools_sheet(seen_pools(request, row), about)


def _changes(request: HttpRequest, row: ReservationRow, about: About) -> Sheet:
    return changes_sheet(events_of(request, row, seen_pools(request, row)), about)


def _raw(request: HttpRequest, row: ReservationRow, about: About) -> Sheet:
    return raw_sheet(told_raw(raw_fields(pk=row.id), see_prices=leave(request, row).see_prices).fields, about)


def _observations(_request: HttpRequest, row: ReservationRow, about: About) -> Sheet:
    most = ("rows", f"the newest {notation.grouped(MOST)} at most")
    return observations_sheet(seen_by_sweeps(pk=row.id, before=None, limit=MOST), (*about, most))


SHEETS: dict[str, Callable[[HttpRequest, ReservationRow, About], Sheet]] = {
    "sizes": _sizes,
    "pools": _pools,
    "observations": _observations,
    "changes": _changes,
    "raw": _raw,
}


@require_safe
@answers_plainly
def reservation_tables(request: HttpRequest, pk: int, sheet: str, suffix: str) -> HttpResponse:
    """``/reservations/<pk>/sizes.csv``, ``/reservations/<pk>/observations.xlsx``."""
    row = found(request, pk)
    if sheet not in SHEETS:
        raise UnableToAnswer(404, "No such table", f"There is no table “{sheet[:40]}” of a reservation.")
    about = (
        ("reservation", row.external_id),
        ("as of", notation.instant(timezone.now(), zones_on(request).seen)),
        ("user", person_on(request).name),
    )
    return sheet_response(SHEETS[sheet](request, row, about), suffix, f"moorage-{row.external_id}-{sheet}")
