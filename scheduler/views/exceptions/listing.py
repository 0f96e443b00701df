"""The inbox of whoever asks, every request they may see, and both as a file."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Action, may_somewhere
from reservations.selectors.exceptions import exception_rows, inbox, inbox_of
from reservations.views.answers import answers_plainly
from reservations.views.asking import person_on
from reservations.views.downloads import sheet_response
from scheduler.tables.exceptions.lines import headline, line_of, waiting_lines
from scheduler.tables.exceptions.sheet import exceptions_sheet
from scheduler.views.exceptions.asked import KINDS, STATES, asker_on, exceptions_asked


@require_safe
@answers_plainly
def exceptions(request: HttpRequest) -> HttpResponse:
    """``/exceptions/?state=&kind=&pool=&by=me``: what waits for you, and every request you may see."""
    asked, asker = exceptions_asked(request), asker_on(request)
    every = exception_rows(asker.person, user_id=asker.user_id)
    lines = [line_of(row, today=asker.today, zone=asker.zone) for row in asked.rows(every, asker.user_id)]
    items = inbox_of(every, asker.person, user_id=asker.user_id, at=asker.now)
    context = {
        "section": "exceptions",
        "asked_for": asked,
        "states": STATES,
        "kinds": KINDS,
        "pools": sorted({row.pool for row in every}),
        "waiting": waiting_lines(items, now=asker.now, today=asker.today, zone=asker.zone),
        "lines": lines,
        "headline": headline(lines),
        "any": bool(every),
        "sees": may_somewhere(asker.person, Action.SEE_EXCEPTION),
        "may_ask": may_somewhere(asker.person, Action.REQUEST_EXCEPTION),
    }
    return render(request, "scheduler/exceptions/list.html", context)


@require_safe
@answers_plainly
def exceptions_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/exceptions/exceptions.csv`` with the list's own filters: the same rows, every digit."""
    asked, asker = exceptions_asked(request), asker_on(request)
    every = exception_rows(asker.person, user_id=asker.user_id)
    items = inbox_of(every, asker.person, user_id=asker.user_id, at=asker.now)
    about = (
        ("as of", notation.instant(asker.now, asker.zone)),
        ("state", asked.state or "any"),
        ("type", asked.kind or "any"),
        ("pool", asked.pool or "all that may be seen"),
        ("asked by", asker.person.name if asked.by else "anybody"),
        ("user", asker.person.name),
    )
    sheet = exceptions_sheet(asked.rows(every, asker.user_id), items, about=about)
    return sheet_response(sheet, suffix, f"moorage-exceptions-{asker.now:%Y-%m-%d}")


@require_safe
def waiting_count(request: HttpRequest) -> HttpResponse:
    """``/exceptions/waiting/``: how many wait for this person, fetched so that no page waits for it."""
    person = person_on(request)
    assert request.user.pk is not None  # nosec B101
    count = len(inbox(person, user_id=request.user.pk, at=timezone.now()))
    return render(request, "scheduler/exceptions/waiting.html", {"waiting": count})
