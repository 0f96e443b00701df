"""Where messages go and what became of them, as pages read it: what is secret of an address is never in a row."""

from dataclasses import dataclass
from datetime import datetime, time

from django.db.models import Case, F, Q, QuerySet, Value, When

from reservations.domain.access import Action, Person, reach
from scheduler.domain.alert.delivery import ChannelName, DeliveryState, Mode
from scheduler.domain.alert.severity import Severity
from scheduler.models import Delivery, NotificationRoute

OF_A_PERSON = "a person's own address"
OF_A_TEAM = "a team's address"
OF_THE_ORGANISATION = "an address of the organisation"
OF_NOBODY = "an address that was removed"


@dataclass(frozen=True, slots=True)
class RouteRow:
    """One address; ``owner`` and ``user`` blank: the organisation's, where alerts escalate to. No rules: every one.

    ``shown`` is what may be seen of the address; ``signed``: a secret is kept for it. ``failing_since`` None: the last
    message went out.
    """

    id: int
    owner: str
    user: str
    name: str
    channel: ChannelName
    shown: str
    signed: bool
    rules: frozenset[str]
    least: Severity
    at_once_from: Severity
    digest_hour: int
    zone: str
    quiet_from: time | None
    quiet_until: time | None
    enabled: bool
    made_by: str
    made_at: datetime
    failing_since: datetime | None
    last_error: str


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """One step of one episode to one recipient, and what became of it.

    ``shown`` only says whose address it is where the reader may not see it; ``error`` and ``route`` are blank then.
    ``route`` is blank too for a team's own e-mail and for an address that was removed.
    """

    id: int
    episode_id: int
    rule: str
    step: str
    subject: str
    recipient: str
    route: str
    channel: ChannelName
    shown: str
    mode: Mode
    state: DeliveryState
    attempts: int
    owed_at: datetime
    try_at: datetime
    sent_at: datetime | None
    error: str


def routes_for(*, owner: str = "", user: str = "") -> list[RouteRow]:
    """The routes of a team or of a person (a log-in); of the organisation without either."""
    if owner or user:
        found = NotificationRoute.objects.filter(**({"owner__name": owner} if owner else {"user__username": user}))
    else:
        found = NotificationRoute.objects.filter(owner__isnull=True, user__isnull=True)
    return _rows(found)


def routes_of_teams(*, teams: frozenset[str] | None) -> list[RouteRow]:
    """The routes of these teams; None: of every team and of the organisation. No person's own are among them."""
    found = NotificationRoute.objects.filter(user__isnull=True)
    return _rows(found if teams is None else found.filter(owner__name__in=sorted(teams)))


def route_with(*, pk: int) -> RouteRow | None:
    """One route, whoever's it is."""
    return next(iter(_rows(NotificationRoute.objects.filter(pk=pk))), None)


def delivery_log(
    *,
    reader: Person,
    teams: frozenset[str] | None,
    episode: int | None = None,
    route: int | None = None,
    user: str = "",
    states: frozenset[DeliveryState] = frozenset(),
    text: str = "",
    start: int = 0,
    end: int | None = None,
) -> list[DeliveryRow]:
    """What was owed, newest first, in one query: of episodes that ``teams`` may see, None of all.

    ``user`` narrows it to a person's own addresses; ``text`` is looked for in subject, recipient and error, as far as
    ``reader`` may see them: one's own, and those of teams and the organisation for who handles or routes the alert.
    """
    found = _logged(reader, teams, episode, route, user, states, text).annotate(
        rule=F("episode__rule"), route_name=F("route__name"), user_id=F("route__user"), owner_id=F("route__owner")
    )
    return [_delivery(one) for one in found.order_by("-owed_at", "-id")[start:end]]


def delivery_count(
    *,
    reader: Person,
    teams: frozenset[str] | None,
    episode: int | None = None,
    route: int | None = None,
    user: str = "",
    states: frozenset[DeliveryState] = frozenset(),
    text: str = "",
) -> int:
    """How many rows :func:`delivery_log` has without its ends."""
    return _logged(reader, teams, episode, route, user, states, text).count()


def _logged(
    reader: Person,
    teams: frozenset[str] | None,
    episode: int | None,
    route: int | None,
    user: str,
    states: frozenset[DeliveryState],
    text: str,
) -> QuerySet[Delivery]:
    found = Delivery.objects.all() if teams is None else Delivery.objects.filter(episode__teams__overlap=sorted(teams))
    asked = {
        "episode_id": episode,
        "route_id": route,
        "route__user__username": user,
        "state__in": sorted(states),
    }
    found = found.filter(**{name: value for name, value in asked.items() if value})
    found = found.annotate(seen=Case(When(_seen_by(reader), then=Value(True)), default=Value(False)))
    if text:
        hidden = Q(shown__icontains=text) | Q(error__icontains=text)
        found = found.filter(Q(subject__icontains=text) | (Q(seen=True) & hidden))
    return found


def _seen_by(reader: Person) -> Q:
    """Which rows' addresses a person may see; whose a removed one was is not known any more."""
    own = Q(route__user__username=reader.name)
    shared = Q(route__isnull=False, route__user__isnull=True) | Q(route__isnull=True, recipient__startswith="owner:")
    by_role = [reach(reader, action) for action in (Action.HANDLE_ALERT, Action.ROUTE_ALERTS)]
    if None in by_role:
        return own | shared
    handled = sorted(frozenset().union(*(teams for teams in by_role if teams)))
    return own | (shared & Q(episode__teams__overlap=handled)) if handled else own


_ROUTE = (
    "id", "name", "shown", "digest_hour", "zone", "quiet_from", "quiet_until", "enabled", "made_by", "made_at",
    "failing_since", "last_error",
)  # fmt: skip
_DELIVERY = (
    "id", "episode_id", "rule", "step", "subject", "recipient", "attempts", "owed_at", "try_at", "sent_at",
)  # fmt: skip


def _rows(found: QuerySet[NotificationRoute]) -> list[RouteRow]:
    whose = found.select_related("owner", "user").order_by("owner__name", "user__username", "name", "id")
    return [
        RouteRow(
            **{name: getattr(one, name) for name in _ROUTE},
            owner=one.owner.name if one.owner else "",
            user=one.user.get_username() if one.user else "",
            channel=ChannelName(one.channel),
            signed=bool(one.secret_sealed),
            rules=frozenset(one.rules),
            least=Severity(one.least),
            at_once_from=Severity(one.at_once_from),
        )
        for one in whose
    ]


def _delivery(one: Delivery) -> DeliveryRow:
    return DeliveryRow(
        **{name: getattr(one, name) for name in _DELIVERY},
        route=(one.route_name or "") if one.seen else "",
        shown=one.shown if one.seen else _whose(one),
        error=one.error if one.seen else "",
        channel=ChannelName(one.channel),
        mode=Mode(one.mode),
        state=DeliveryState(one.state),
    )


def _whose(one: Delivery) -> str:
    """What is said in place of an address that is not for the reader."""
    if one.user_id is not None:
        return OF_A_PERSON
    if one.owner_id is not None or one.recipient.startswith("owner:"):
        return OF_A_TEAM
    return OF_NOBODY if one.route_id is None else OF_THE_ORGANISATION
