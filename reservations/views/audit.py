"""The audit trail: what was done by whom, one event with what stood before and after, and files of it to take away."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header, urlencode
from django.views.decorators.http import require_safe

from reservations.domain.audit_chain import Event, Via, event_hash
from reservations.selectors.audit import TrailFilter, trail_count, trail_event, trail_head, trail_page, trail_words
from reservations.selectors.evidence import evidence_of
from reservations.services.audit.exporting import exported_events
from reservations.services.audit.verifying import verify_audit
from reservations.tables.audit import audit_sheet, event_lines, side_by_side
from reservations.tables.audit_evidence import pack_documents
from reservations.tables.evidence_pack import evidence_pack
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.audit_asked import Asked, asked_for
from reservations.views.downloads import FORMS, form_response

MOST_ROWS = 50_000
"""So many events a page gives as a file; the command export_audit gives any number."""

MOST_CHECKED = 100_000
"""A chain up to this length is walked while somebody waits for the page."""

TOO_MANY = f"These are more than {MOST_ROWS:,} events: narrow them, or run manage.py export_audit."


@require_safe
@answers_plainly
def audit(request: HttpRequest) -> HttpResponse:
    """``/audit/?from=&to=&act=&person=&about=&ident=&via=&page=``; with ``check=1`` the chain is walked too."""
    asked = asked_for(request)
    head = trail_head()
    count = trail_count(asked.wanted) if asked.narrowed or head is None else head.count
    page = asked.paged(count)
    words = trail_words()
    check = request.GET.get("check") == "1" and head is not None and head.count <= MOST_CHECKED
    context = {
        "section": "audit",
        "crumbs": [("Audit trail", "")],
        "asked": asked,
        "head": head,
        "checkable": head is not None and head.count <= MOST_CHECKED,
        "check_address": asked.address(check=1),
        "verified": verify_audit() if check else None,
        "count": count,
        "events": trail_page(asked.wanted, start=page.start, end=page.end) if count else [],
        "paged": page,
        "acts": words["act"],
        "kinds": words["about"],
        "ways": list(Via),
        "zone": zones_on(request).seen,
        "query": asked.address(),
        "pack": _pack_address(asked.wanted.about, asked.wanted.ident),
    }
    return render(request, "reservations/audit.html", context)


@require_safe
@answers_plainly
def audit_event(request: HttpRequest, sequence: int) -> HttpResponse:
    """``/audit/<number>/``: one event, its states side by side, and whether its links hold."""
    asked_for(request)
    event = trail_event(sequence)
    if event is None:
        raise UnableToAnswer(404, "No such event", f"The audit trail has no event {sequence}.")
    before = trail_event(sequence - 1)
    context = {
        "section": "audit",
        "crumbs": [("Audit trail", reverse("reservations:audit")), (f"Event {sequence}", "")],
        "event": event,
        "fits": event_hash(event) == event.hash,
        "follows": event.sequence == 1 or (before is not None and before.hash == event.previous_hash),
        "states": side_by_side(event),
        "later": trail_event(sequence + 1) is not None,
        "same": "?" + urlencode({"about": event.about, "ident": event.ident}),
        "pack": _pack_address(event.about, event.ident),
        "zone": zones_on(request).seen,
    }
    return render(request, "reservations/audit_event.html", context)


@require_safe
@answers_plainly
def audit_file(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/audit/trail.jsonl``, ``.csv`` or ``.xlsx`` with the list's own filters, the oldest event first."""
    asked = asked_for(request)
    if suffix != "jsonl" and suffix not in FORMS:
        raise UnableToAnswer(404, "No such file", "The trail can be had as jsonl, csv or xlsx.")
    events, now = _taken(asked, suffix), timezone.now()
    stem = f"moorage-audit-{now:%Y-%m-%d}"
    if suffix == "jsonl":
        lines = "".join(event_lines(events))
        headers = {"Content-Disposition": content_disposition_header(True, f"{stem}.jsonl")}
        return HttpResponse(lines, content_type="application/jsonl; charset=utf-8", headers=headers)
    about = tuple((name, text) for name, text in asked.texts.items() if text)
    return form_response(audit_sheet(events, about=(("head", str(trail_head())), *about)), suffix, stem)


@require_safe
@answers_plainly
def audit_pack(request: HttpRequest) -> HttpResponse:
    """``/audit/pack.zip?about=&ident=``: everything about one object, with a manifest of SHA-256."""
    asked = asked_for(request)
    wanted = TrailFilter(about=asked.wanted.about, ident=asked.wanted.ident)
    if not (wanted.about and wanted.ident):
        raise UnableToAnswer(400, "Of what?", "A pack is of one object: name its kind (about) and which (ident).")
    events = _taken(Asked(asked.texts, wanted, 1), "pack")
    documents = pack_documents(evidence_of(wanted.about, wanted.ident), events)
    now: datetime = timezone.now()
    body = evidence_pack(
        documents,
        about=wanted.about,
        ident=wanted.ident,
        head=trail_head(),
        made_at=now,
        made_by=person_on(request).name,
    )
    name = f"moorage-evidence-{wanted.about}-{wanted.ident}-{now:%Y-%m-%d}.zip".replace(" ", "-").replace("/", "-")
    headers = {"Content-Disposition": content_disposition_header(True, name)}
    return HttpResponse(body, content_type="application/zip", headers=headers)


def _taken(asked: Asked, form: str) -> list[Event]:
    events = exported_events(asked=asked.wanted, form=form, most=MOST_ROWS)
    if events is None:
        raise UnableToAnswer(413, "Too many for a page", TOO_MANY)
    return events


def _pack_address(about: str, ident: str) -> str:
    if not (about and ident):
        return ""
    return f"{reverse('reservations:audit-pack')}?{urlencode({'about': about, 'ident': ident})}"
