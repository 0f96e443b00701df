"""Every download: a sheet as a file under a telling name."""

from collections.abc import Callable
from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from reservations.services.audit.exporting import record_taken
from reservations.tables.sheet import Sheet, sheet_csv
from reservations.tables.workbook import UnableToWriteWorkbook, xlsx_bytes
from reservations.views.answers import UnableToAnswer


class _Form(NamedTuple):
    write: Callable[[Sheet], str | bytes]
    content_type: str


FORMS = {
    "csv": _Form(sheet_csv, "text/csv; charset=utf-8"),
    "xlsx": _Form(xlsx_bytes, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


def sheet_response(sheet: Sheet, suffix: str, stem: str) -> HttpResponse:
    """The file ``stem.suffix``, of which the audit trail tells who took it.

    Http404 for a form there is none of, UnableToAnswer where it would be too long.
    """
    response = form_response(sheet, suffix, stem)
    record_taken(name=f"{stem}.{suffix}", rows=len(sheet.rows))
    return response


def form_response(sheet: Sheet, suffix: str, stem: str) -> HttpResponse:
    """The same, where the trail is told otherwise."""
    form = FORMS.get(suffix)
    if form is None:
        raise Http404(f"No download ends in “{suffix}”.")
    try:
        body = form.write(sheet)
    except UnableToWriteWorkbook as unable:
        raise UnableToAnswer(413, "Too long for a workbook", f"{unable}.") from unable
    headers = {"Content-Disposition": content_disposition_header(True, f"{stem}.{suffix}")}
    return HttpResponse(body, content_type=form.content_type, headers=headers)
