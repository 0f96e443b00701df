"""Reservations from a CSV file: read whole, shown before anything is stored, brought in whole or not at all."""

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from reservations.domain.access import Action, may
from reservations.domain.change import Outcome
from reservations.domain.manual_entry import FIELDS
from reservations.domain.reservation_file import MOST_BYTES, MOST_LINES, REQUIRED, Fault, UnableToReadFile
from reservations.services.reservation_import import Imported, import_reservations
from reservations.tables.import_template import import_template
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.reservation_actions import STALE

FAULTS_SHOWN = 50


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def importing(request: HttpRequest) -> HttpResponse:
    """``/reservations/import/``: a file is previewed, and what was previewed is brought in."""
    if not may(person_on(request), Action.EDIT_RESERVATION):
        sentence = "Importing needs the role of operator, owner or admin for the whole organisation."
        raise UnableToAnswer(403, "Not yours to import", sentence)
    if request.method != "POST":
        return _page(request)
    confirmed = "text" in request.POST
    data = _same_line_ends(request.POST["text"].encode() if confirmed else _uploaded(request))
    if not data:
        return _page(request, faults=[Fault(None, "Choose a file that is not empty.")])
    promised = request.POST.get("digest", "") if confirmed else ""
    try:
        done = import_reservations(
            data=data,
            zone=zones_on(request).accounting,
            as_of=timezone.now(),
            stores=lambda found: _digest(data, found) == promised,
        )
    except UnableToReadFile as unable:
        return _page(request, faults=unable.faults)
    digest = _digest(data, done)
    if digest != promised:
        return _page(request, planned=done, text=data.decode("utf-8-sig"), digest=digest, moved=confirmed)
    messages.success(request, f"Imported: {_counted(done)}. {STALE}")
    return redirect("reservations:list")


@require_safe
def template(request: HttpRequest) -> HttpResponse:
    """``/reservations/import/template.csv``."""
    headers = {"Content-Disposition": 'attachment; filename="reservations-template.csv"'}
    return HttpResponse(import_template(), content_type="text/csv; charset=utf-8", headers=headers)


def _uploaded(request: HttpRequest) -> bytes:
    file = request.FILES.get("file")
    return b"" if file is None else file.read(MOST_BYTES + 1)


def _same_line_ends(data: bytes) -> bytes:
    """A file as a form sends it back, which keeps no line's end as it was."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _digest(data: bytes, planned: Sequence[Imported]) -> str:
    """What was promised: this file over what stands now, so that nothing else is stored than what was seen."""
    return sha256(data.removeprefix(BOM_UTF8) + repr(planned).encode()).hexdigest()


def _counted(done: Sequence[Imported]) -> str:
    counts = Counter(one.outcome for one in done)
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])


def _page(
    request: HttpRequest,
    *,
    planned: Sequence[Imported] = (),
    text: str = "",
    digest: str = "",
    moved: bool = False,
    faults: Sequence[Fault] = (),
) -> HttpResponse:
    changes = [one for one in planned if one.outcome is not Outcome.UNCHANGED]
    context = {
        "section": "reservations",
        "crumbs": [("Reservations", reverse("reservations:list")), ("Import from CSV", "")],
        "planned": planned,
        "changes": changes,
        "counted": _counted(planned),
        "digest": digest,
        "text": text,
        "moved": moved,
        "faults": [str(fault) for fault in faults[:FAULTS_SHOWN]],
        "more_faults": max(0, len(faults) - FAULTS_SHOWN),
        "columns": [(name, name in REQUIRED) for name in FIELDS],
        "most_lines": MOST_LINES,
        "most_kb": MOST_BYTES // 1024,
        "accounting": zones_on(request).accounting,
    }
    status = 400 if faults else 409 if moved and changes else 200
    return render(request, "reservations/import.html", context, status=status)
