"""``/alerts``: what is wrong now with what a caller may see, and what people do about it."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from reservations.api.callers import opens
from reservations.api.problems import NOT_FOUND, PROBLEMS, UNREADABLE, UnableToAnswerCall
from reservations.api.shapes import page_of
from reservations.domain.access import Action, Person, may, reach
from reservations.domain.tokens import Scope
from scheduler.api.alert_shapes import AlertPage, AlertsAsked, AlertTold, MoveAsked, SnoozeAsked
from scheduler.domain.alert.episode import EpisodeState
from scheduler.domain.alert.severity import Severity
from scheduler.selectors.alerts import EpisodeFilter, EpisodeRow, episode_count, episode_detail, episodes
from scheduler.services.alerts import Moved, UnableToMove, acknowledge_alerts, resolve_alerts, snooze_alerts
from scheduler.tables.alerts.told import alert_told

router = Router(tags=["alerts"])
AT_HAND = frozenset({EpisodeState.OPEN, EpisodeState.ACKNOWLEDGED})


@router.get(
    "/alerts",
    response={200: AlertPage, **PROBLEMS},
    auth=opens(Scope.READ_ALERTS),
    summary="The alerts you may see",
)
def alerts(request: HttpRequest, asked: Query[AlertsAsked]) -> dict[str, Any]:
    """The most pressing first, then what costs most. Needs the scope `read:alerts`."""
    person: Person = request.auth.person
    teams, wanted = _teams(person), _wanted(asked, person)
    rows = episodes(wanted, teams=teams, start=asked.offset, end=asked.offset + asked.limit)
    total = episode_count(wanted, teams=teams)
    return page_of([alert_told(row, person) for row in rows], total, asked)


@router.post(
    "/alerts/{int:alert_id}/acknowledge",
    response={200: AlertTold, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=opens(Scope.ALERTS),
    summary="Acknowledge an alert",
)
def acknowledge_alert(request: HttpRequest, alert_id: int, asked: MoveAsked) -> dict[str, Any]:
    """Somebody looks after it, so nobody else is rung. Needs the scope `alerts`; the same twice is once."""
    return _moved(request, alert_id, EpisodeState.ACKNOWLEDGED, asked.note, acknowledge_alerts)


@router.post(
    "/alerts/{int:alert_id}/snooze",
    response={200: AlertTold, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=opens(Scope.ALERTS),
    summary="Put an alert off",
)
def snooze_alert(request: HttpRequest, alert_id: int, asked: SnoozeAsked) -> dict[str, Any]:
    """Until an instant; it wakes before if it gets worse. Needs the scope `alerts`."""
    if asked.until.tzinfo is None:
        raise UnableToAnswerCall(HTTPStatus.UNPROCESSABLE_ENTITY, "Say until when with an offset: add Z for UTC.")

    def snooze(**said: Any) -> Moved:
        return snooze_alerts(until=asked.until, **said)

    return _moved(request, alert_id, EpisodeState.SNOOZED, asked.note, snooze)


@router.post(
    "/alerts/{int:alert_id}/resolve",
    response={200: AlertTold, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=opens(Scope.ALERTS),
    summary="Resolve an alert",
)
def resolve_alert(request: HttpRequest, alert_id: int, asked: MoveAsked) -> dict[str, Any]:
    """It is over; what is still found then is silent until it was in order once. Needs the scope `alerts`."""
    return _moved(request, alert_id, EpisodeState.RESOLVED, asked.note, resolve_alerts)


def _moved(
    request: HttpRequest, alert_id: int, to: EpisodeState, note: str, move: Callable[..., Moved]
) -> dict[str, Any]:
    person: Person = request.auth.person
    row = _found(person, alert_id)
    if not may(person, Action.HANDLE_ALERT, row.teams or None):
        raise UnableToAnswerCall(HTTPStatus.FORBIDDEN, "None of your roles lets you handle this alert.")
    try:
        moved = move(ids=[alert_id], by=person.name, at=timezone.now(), note=note)
    except UnableToMove as unable:
        raise UnableToAnswerCall(HTTPStatus.UNPROCESSABLE_ENTITY, str(unable)) from unable
    after = _found(person, alert_id)
    if not moved.moved and after.state is not to:
        raise UnableToAnswerCall(HTTPStatus.UNPROCESSABLE_ENTITY, moved.unmoved[0])
    return alert_told(after, person)


def _found(person: Person, alert_id: int) -> EpisodeRow:
    detail = episode_detail(pk=alert_id, reader=person, teams=_teams(person))
    if detail is None:
        raise UnableToAnswerCall(HTTPStatus.NOT_FOUND, f"There is no alert {alert_id}, or it is not for you.")
    return detail.row


def _teams(person: Person) -> frozenset[str] | None:
    return reach(person, Action.SEE_RESERVATION)


def _wanted(asked: AlertsAsked, person: Person) -> EpisodeFilter:
    states = {"": AT_HAND, "any": frozenset(EpisodeState)}
    return EpisodeFilter(
        states=states[asked.state] if asked.state in states else frozenset({EpisodeState(asked.state)}),
        severities=frozenset({Severity(asked.severity)} if asked.severity else ()),
        rules=frozenset({asked.rule} if asked.rule else ()),
        owner=asked.owner,
        pool=asked.pool,
        reservation_id=asked.reservation,
        text=asked.q,
        order="severity" if reach(person, Action.SEE_PRICES) == _teams(person) else "pressing",
    )
