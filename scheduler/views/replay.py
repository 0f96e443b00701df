"""The replay page: what a month's work would have come to on other sizes, and having it replayed."""

from dataclasses import dataclass
from datetime import date, timedelta

import structlog
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError

from reservations.domain.access import Action, Person, may
from reservations.domain.period import UnableToReadTime, read_month
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import FORMS, sheet_response
from scheduler.selectors.replays import Replayed, ReplayRow, latest_replay, newest_replay
from scheduler.services.replay import cancel_month_replay, request_month_replay
from scheduler.tables.replay.sheets import replay_sheet
from scheduler.tables.replay.words import headline, inputs_words, policy_words, rounding_words
from scheduler.tasks import run_month_replays
from scheduler.views.replay_figure import about_of, value_figure

MONTHS_OFFERED = 14
FIRST_MONTH = date(2010, 1, 1)

QUEUE_DOWN = (
    "The queue of the workers can't be reached, so nobody is told yet. The request is kept and begins by itself"
    " within a minute of the queue's return."
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose month it is; ``pools`` are all that this person may see."""

    person: Person
    pools: tuple[PoolRow, ...]
    pool: PoolRow
    month: date
    months: tuple[date, ...]

    @property
    def address(self) -> str:
        """``?…`` of the same pool and month."""
        return "?" + urlencode({"pool": self.pool.name, "month": f"{self.month:%Y-%m}"})

    @property
    def page(self) -> str:
        """The page's own address."""
        return reverse("scheduler:replay") + self.address

    @property
    def may_run(self) -> bool:
        """Whether the person may have the month replayed."""
        return may(self.person, Action.REPLAY, self.pool.teams)

    @property
    def command(self) -> str:
        """The command that gives the same figures."""
        return f"manage.py replay --pool {self.pool.name} --month {self.month:%Y-%m}"


@require_safe
@answers_plainly
def replay(request: HttpRequest) -> HttpResponse:
    """``/sizing/replay/?pool=serve-h100&month=2026-11``: the newest replay of a month, and the one under way."""
    pools = _pools(request)
    if not pools:
        return render(request, "scheduler/replay/no_pools.html", {"section": "sizing"})
    asked = _asked(request, request.GET, pools)
    found = latest_replay(pool_id=asked.pool.id, month=asked.month)
    context = {**_base(request, asked, found), **_told(request, asked, found)}
    return render(request, "scheduler/replay/page.html", context)


@require_safe
@answers_plainly
def replay_progress(request: HttpRequest) -> HttpResponse:
    """``/sizing/replay/progress/?pool=…``: how far the replay is; the page itself without htmx, and once it ended."""
    asked = _asked(request, request.GET, _pools(request))
    if not request.htmx or request.htmx.boosted:
        return HttpResponseRedirect(asked.page)
    context = _base(request, asked, None)
    response = render(request, "scheduler/replay/run.html", context)
    run = context["run"]
    if not (isinstance(run, ReplayRow) and run.live):
        response["HX-Refresh"] = "true"
    return response


@require_safe
@answers_plainly
def replay_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/sizing/replay/sizes.csv`` with the page's own query: the same figures, every digit."""
    asked = _asked(request, request.GET, _pools(request))
    found = latest_replay(pool_id=asked.pool.id, month=asked.month)
    if found is None or found.reason:
        why = "The month has not been replayed." if found is None else f"{headline(found.document)}"
        raise UnableToAnswer(404, "No figures", why)
    stem = f"moorage-replay-{asked.pool.name}-{asked.month:%Y-%m}"
    return sheet_response(replay_sheet(found.document, about=about_of(found, asked.person.name)), suffix, stem)


@require_POST
@answers_plainly
def ask_replay(request: HttpRequest) -> HttpResponse:
    """``POST /sizing/replay/ask/``: put the month in the queue and go back to the page."""
    asked = _asked(request, request.POST, _pools(request))
    _check_leave(asked)
    with transaction.atomic():
        request_month_replay(
            pool=asked.pool,
            month=asked.month,
            user_id=request.user.pk,
            user_name=request.user.get_username(),
            as_of=timezone.now(),
        )
        transaction.on_commit(lambda: _tell_a_worker(request))
    return HttpResponseRedirect(asked.page + "#run")


@require_POST
@answers_plainly
def cancel_replay(request: HttpRequest) -> HttpResponse:
    """``POST /sizing/replay/cancel/``: take it back, if there is still something to take back."""
    asked = _asked(request, request.POST, _pools(request))
    _check_leave(asked)
    run = newest_replay(pool_id=asked.pool.id, month=asked.month)
    if run is None or not cancel_month_replay(replay_id=run.id, as_of=timezone.now()):
        messages.info(request, "It had ended already.")
    return HttpResponseRedirect(asked.page)


def _base(request: HttpRequest, asked: Asked, found: Replayed | None) -> dict[str, object]:
    run = newest_replay(pool_id=asked.pool.id, month=asked.month)
    is_shown = run is not None and found is not None and run.id == found.row.id
    return {
        "section": "sizing",
        "asked": asked,
        "run": None if is_shown else run,
        "zone": zones_on(request).seen,
        "has_result": found is not None,
    }


def _told(request: HttpRequest, asked: Asked, found: Replayed | None) -> dict[str, object]:
    if found is None:
        return {}
    document = found.document
    told: dict[str, object] = {
        "found": found,
        "document": document,
        "headline": headline(document),
        "inputs": inputs_words(document),
        "rounding": rounding_words(document),
    }
    if found.reason:
        return told
    files = {suffix: reverse("scheduler:replay-sheet", args=[suffix]) + asked.address for suffix in FORMS}
    figure = value_figure(found, files=files, reader=asked.person.name)
    return told | {"figure": figure, "policy": policy_words(document)}


def _check_leave(asked: Asked) -> None:
    if not asked.may_run:
        sentence = f"Your role for {asked.pool.name} does not include having a month replayed: ask an analyst."
        raise UnableToAnswer(403, "Not yours to run", sentence)


def _pools(request: HttpRequest) -> tuple[PoolRow, ...]:
    person = person_on(request)
    return tuple(pool for pool in pool_rows() if may(person, Action.SEE_POOL, pool.teams))


def _asked(request: HttpRequest, query: QueryDict, pools: tuple[PoolRow, ...]) -> Asked:
    name = query.get("pool", "")
    pool = next((pool for pool in pools if name in ("", pool.name)), None)
    if pool is None:
        said = f"There is no pool “{name[:60]}”, or it belongs to a team whose pools you may not see."
        raise UnableToAnswer(404, "No such pool", said)
    today = timezone.now().astimezone(zones_on(request).accounting).date()
    return Asked(person_on(request), pools, pool, _month(query.get("month", ""), today), _offered(today))


def _month(text: str, today: date) -> date:
    """The month asked for, or the last full one."""
    if not text:
        return _before(today)
    try:
        month = read_month(text)
    except UnableToReadTime as unable:
        said = str(unable)
        raise UnableToAnswer(422, "No such month", f"{said[0].upper()}{said[1:]}.") from unable
    if not FIRST_MONTH <= month <= today:
        said = f"Nothing was recorded in {month:%B %Y}: it has not begun, or lies before the ledger."
        raise UnableToAnswer(422, "No such month", said)
    return month


def _offered(today: date) -> tuple[date, ...]:
    months = [today.replace(day=1)]
    while len(months) < MONTHS_OFFERED:
        months.append(_before(months[-1]))
    return tuple(months)


def _before(day: date) -> date:
    return (day.replace(day=1) - timedelta(days=1)).replace(day=1)


def _tell_a_worker(request: HttpRequest) -> None:
    try:
        run_month_replays.apply_async(retry=False)
    except OperationalError as error:
        log.warning("the broker cannot be reached", error=str(error))
        messages.warning(request, QUEUE_DOWN)
