"""The calendar: a month and its agenda, a person's feeds, and each feed at its secret address."""

from datetime import date, datetime, timedelta, tzinfo
from hashlib import sha256

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from reservations.domain.access import Action, may_somewhere, reach
from reservations.domain.period import Period, UnableToReadTime, local_midnight, read_month
from reservations.selectors.teams import team_names
from reservations.views.answers import UnableToAnswer, answers_plainly, no_such_owner
from reservations.views.asking import person_on, zones_on
from scheduler.domain.calendar.month import weeks_of
from scheduler.selectors.calendar import entries_in, feed_opened_by, feed_text, feeds_of
from scheduler.services.calendar import UnableToMakeFeed, make_feed, note_feed_read, refresh_calendar, revoke_feed
from scheduler.tables.calendar import month_shown

FRESH_FOR = timedelta(minutes=5)
"""How old a calendar may be when it is read; the inventory itself is asked every five minutes."""

FRESH = "calendar-is-fresh"
AGE = "private, max-age=300"


@require_safe
@answers_plainly
def calendar(request: HttpRequest) -> HttpResponse:
    """``/calendar/?month=2026-06&owner=serving``: what happens to reservations in a month, and the person's feeds."""
    return _page(request)


@never_cache
@require_POST
@answers_plainly
@sensitive_variables("secret")
def feeds(request: HttpRequest) -> HttpResponse:
    """``/calendar/feeds/``: POST makes a feed and answers with its address, this once."""
    person, owner = person_on(request), request.POST.get("owner", "")
    if not may_somewhere(person, Action.SEE_RESERVATION):
        raise UnableToAnswer(403, "Nothing to tell", "You may see no reservation, so that a feed would tell nothing.")
    if owner and owner not in _owners(request):
        raise no_such_owner(owner)
    try:
        secret = make_feed(user_id=request.user.pk, name=request.POST.get("name", ""), owner=owner, at=timezone.now())
    except UnableToMakeFeed as unable:
        return _page(request, problem=str(unable))
    address = request.build_absolute_uri(reverse("scheduler:calendar-feed", args=[secret]))
    made = {
        "section": "renewals",
        "crumbs": [("Calendar", reverse("scheduler:calendar")), ("Your new feed", "")],
        "address": address,
        "of": owner or "all teams you may see",
    }
    return render(request, "scheduler/calendar/feed_made.html", made, status=201)


@require_POST
def feed_revoke(request: HttpRequest, feed_id: int) -> HttpResponse:
    """``/calendar/feeds/<id>/revoke/``: from now on its address opens nothing; 404 for somebody else's."""
    if not revoke_feed(feed_id=feed_id, user_id=request.user.pk, at=timezone.now()):
        raise Http404("There is no such feed of yours.")
    messages.success(request, "The feed is revoked: its address opens nothing any more.")
    return redirect(f"{reverse('scheduler:calendar')}#feeds")


@login_not_required
@require_http_methods(["GET", "HEAD"])
@sensitive_variables("secret")
def calendar_feed(request: HttpRequest, secret: str) -> HttpResponse:
    """``/calendar/<secret>.ics``: the calendar, without a log-in; 404 for any other address, and once it is revoked."""
    now = timezone.now()
    feed = feed_opened_by(secret=secret, as_of=now)
    if feed is None:
        return HttpResponse("There is no calendar at this address.\n", status=404, content_type="text/plain")
    _freshen(now)
    if feed.note_read:
        note_feed_read(feed_id=feed.id, at=now)
    page = request.build_absolute_uri(reverse("reservations:detail", args=[0]))
    text = feed_text(feed, addresses=page.replace("/0/", "/{}/")).encode()
    etag = quote_etag(sha256(text).hexdigest())
    answer = get_conditional_response(request, etag=etag) or HttpResponse(
        text, content_type="text/calendar; charset=utf-8"
    )
    if not isinstance(answer, HttpResponseNotModified):
        answer["Content-Disposition"] = 'inline; filename="moorage.ics"'
    answer["ETag"], answer["Cache-Control"] = etag, AGE
    return answer


def _freshen(now: datetime) -> None:
    """Bring the calendar up to date, unless somebody did so a moment ago."""
    if cache.add(FRESH, 1, timeout=int(FRESH_FOR.total_seconds())):
        refresh_calendar(as_of=now)


def _owners(request: HttpRequest) -> list[str]:
    """The teams whose reservations a person may see."""
    seen_by = reach(person_on(request), Action.SEE_RESERVATION)
    return team_names() if seen_by is None else sorted(seen_by)


def _month(request: HttpRequest, today: date) -> date:
    text = request.GET.get("month", "").strip()
    try:
        return read_month(text) if text else today.replace(day=1)
    except UnableToReadTime as unable:
        raise UnableToAnswer(400, "No such month", f"{unable}.") from unable


def _page(request: HttpRequest, *, problem: str = "") -> HttpResponse:
    zone, now = zones_on(request).accounting, timezone.now()
    today, owners, owner = now.astimezone(zone).date(), _owners(request), request.GET.get("owner", "").strip()
    if owner and owner not in owners:
        raise no_such_owner(owner)
    month, seen_by = _month(request, today), reach(person_on(request), Action.SEE_RESERVATION)
    _freshen(now)
    weeks, agenda = month_shown(
        month, entries_in(period=_weeks(month, zone), owners=seen_by, owner=owner), today=today, zone=zone
    )
    context = {
        "section": "renewals",
        "month": month,
        "zone": zone,
        "owner": owner,
        "owners": owners,
        "weeks": weeks,
        "agenda": agenda,
        "earlier": _address(month - timedelta(days=1), owner),
        "later": _address(month + timedelta(days=32), owner),
        "this": _address(today, owner),
        "earlier_month": month - timedelta(days=1),
        "later_month": (month + timedelta(days=32)).replace(day=1),
        "is_now": (month.year, month.month) == (today.year, today.month),
        "feeds": feeds_of(user_id=request.user.pk),
        "problem": problem,
    }
    return render(request, "scheduler/calendar/month.html", context, status=422 if problem else 200)


def _weeks(month: date, zone: tzinfo) -> Period:
    weeks = weeks_of(month)
    return Period(local_midnight(weeks[0][0], zone), local_midnight(weeks[-1][-1] + timedelta(days=1), zone))


def _address(day: date, owner: str) -> str:
    return "?" + urlencode({"month": f"{day:%Y-%m}", **({"owner": owner} if owner else {})})
