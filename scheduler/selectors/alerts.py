"""Alerts as pages, calls and commands read them: plain rows, never models; ``teams`` None sees everything."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Sum, Value, When

from reservations.domain.access import Action, Person, reach
from scheduler.domain.alert.episode import Deed, EpisodeState
from scheduler.domain.alert.severity import Severity
from scheduler.domain.attention.item import NextStep, Weekly
from scheduler.models import AlertEpisode
from scheduler.selectors.notification_routes import DeliveryRow, delivery_log

LIVE = frozenset(EpisodeState) - {EpisodeState.RESOLVED}

ORDERS: Mapping[str, tuple[str, ...]] = {
    "severity": ("-pressing", "-weekly_money", "since", "id"),
    "pressing": ("-pressing", "since", "id"),
    "money": ("-weekly_money", "-pressing", "since", "id"),
    "since": ("since", "id"),
    "-since": ("-since", "-id"),
    "opened": ("-opened_at", "-id"),
    "subject": ("subject", "rule", "id"),
}
"""How a list can be ordered; what costs is unknown stands last."""


@dataclass(frozen=True, slots=True)
class EpisodeFilter:
    """Which episodes are asked for; an empty set or a blank text leaves nothing out.

    ``assigned_to`` is a log-in. ``text`` is looked for in subject, summary and cause. ``key`` is what an episode is
    about, whatever the occasion.
    """

    states: frozenset[EpisodeState] = LIVE
    severities: frozenset[Severity] = frozenset()
    rules: frozenset[str] = frozenset()
    owner: str = ""
    pool: str = ""
    reservation_id: int | None = None
    assigned_to: str = ""
    text: str = ""
    key: str = ""
    order: str = "severity"


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """One episode; ``weekly`` None: it costs nothing by itself. ``resolved_by`` blank: it was found in order."""

    id: int
    rule: str
    key: str
    object: str
    subject: str
    pool: str
    reservation_id: int | None
    owner: str
    teams: frozenset[str]
    severity: Severity
    state: EpisodeState
    since: datetime
    opened_at: datetime
    found_at: datetime
    resolved_at: datetime | None
    resolved_by: str
    step: str
    summary: str
    cause: str
    next_step: NextStep
    weekly: Weekly | None
    snoozed_until: datetime | None
    acknowledged_at: datetime | None
    acknowledged_by: str
    assigned_to: str
    hushed: bool
    numbers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteRow:
    """What was done about an episode, or written to it; ``by`` blank: an evaluation."""

    deed: Deed
    text: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EpisodeDetail:
    """One episode with all that became of it, oldest first, and the earlier ones of the same rule and subject."""

    row: EpisodeRow
    notes: tuple[NoteRow, ...]
    deliveries: tuple[DeliveryRow, ...]
    earlier: tuple[EpisodeRow, ...]


@dataclass(frozen=True, slots=True)
class EpisodeCounts:
    """How many there are of each; ``weekly_money`` by currency is of those whose price is known."""

    total: int = 0
    by_state: Mapping[EpisodeState, int] = field(default_factory=dict)
    by_severity: Mapping[Severity, int] = field(default_factory=dict)
    by_rule: Mapping[str, int] = field(default_factory=dict)
    weekly_money: Mapping[str, Decimal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenAlerts:
    """How many alerts nobody acknowledged or put off yet, and how many of them are critical."""

    open: int
    critical: int


def episodes(
    wanted: EpisodeFilter, *, teams: frozenset[str] | None, start: int = 0, end: int | None = None
) -> list[EpisodeRow]:
    """The episodes ``[start, end)`` of those asked for, in the order asked for, in one query."""
    order = [_last_where_unknown(name) for name in ORDERS[wanted.order]]
    found = _asked(wanted, teams).annotate(pressing=_PRESSING)
    if end is not None:  # what is sorted is narrow then: whole rows are read of this page alone
        page = found.order_by(*order).values("pk")[start:end]
        found = AlertEpisode.objects.filter(pk__in=page).annotate(pressing=_PRESSING)
    return [_row(one) for one in found.annotate(assignee=F("assigned_to__username")).order_by(*order)]


def episode_count(wanted: EpisodeFilter, *, teams: frozenset[str] | None) -> int:
    """How many episodes are asked for."""
    return _asked(wanted, teams).count()


def episode_counts(wanted: EpisodeFilter, *, teams: frozenset[str] | None) -> EpisodeCounts:
    """The episodes asked for, counted by state, severity and rule and added up by currency, in one query."""
    groups = (
        _asked(wanted, teams)
        .order_by()
        .values_list("state", "severity", "rule", "currency")
        .annotate(count=Count("id"), money=Sum("weekly_money"))
    )
    states: dict[EpisodeState, int] = {}
    severities: dict[Severity, int] = {}
    rules: dict[str, int] = {}
    money: dict[str, Decimal] = {}
    for state, severity, rule, currency, count, amount in groups:
        states[EpisodeState(state)] = states.get(EpisodeState(state), 0) + count
        severities[Severity(severity)] = severities.get(Severity(severity), 0) + count
        rules[rule] = rules.get(rule, 0) + count
        if amount is not None:
            money[currency] = money.get(currency, Decimal(0)) + amount
    return EpisodeCounts(sum(states.values()), states, severities, rules, money)


def episode_detail(*, pk: int, reader: Person, teams: frozenset[str] | None) -> EpisodeDetail | None:
    """One with its notes, its deliveries as ``reader`` may see them and twenty earlier ones, in four queries.

    None where there is none to see.
    """
    seen = _seen_by(teams).annotate(assignee=F("assigned_to__username"))
    one = seen.filter(pk=pk).first()
    if one is None:
        return None
    earlier = seen.filter(rule=one.rule, key=one.key, opened_at__lte=one.opened_at).exclude(pk=pk)
    return EpisodeDetail(
        row=_row(one),
        notes=tuple(NoteRow(Deed(note.deed), note.text, note.by, note.at) for note in one.notes.all()),
        deliveries=tuple(reversed(delivery_log(reader=reader, teams=teams, episode=pk))),
        earlier=tuple(_row(other) for other in earlier.order_by("-opened_at", "-id")[:20]),
    )


def open_alerts_of(person: Person) -> OpenAlerts:
    """How many open alerts a person may see, in one query."""
    open_ones = _seen_by(reach(person, Action.SEE_RESERVATION)).filter(state=EpisodeState.OPEN.value)
    counted = open_ones.aggregate(open=Count("id"), critical=Count("id", filter=Q(severity=Severity.CRITICAL.value)))
    return OpenAlerts(counted["open"], counted["critical"])


_PRESSING = Case(
    *(When(severity=severity.value, then=Value(severity.rank)) for severity in Severity),
    output_field=IntegerField(),
)


def _last_where_unknown(name: str) -> Any:
    if not name.startswith("-"):
        return F(name).asc()
    return F(name[1:]).desc(nulls_last=True)


def _seen_by(teams: frozenset[str] | None) -> QuerySet[AlertEpisode]:
    found = AlertEpisode.objects.all()
    return found if teams is None else found.filter(teams__overlap=sorted(teams))


def _asked(wanted: EpisodeFilter, teams: frozenset[str] | None) -> QuerySet[AlertEpisode]:
    sets = {"state__in": wanted.states, "severity__in": wanted.severities, "rule__in": wanted.rules}
    exact = {
        "owner": wanted.owner,
        "pool": wanted.pool,
        "reservation_id": wanted.reservation_id,
        "assigned_to__username": wanted.assigned_to,
        "key": wanted.key,
    }
    found = _seen_by(teams).filter(
        **{name: sorted(values) for name, values in sets.items() if values},
        **{name: value for name, value in exact.items() if value},
    )
    if wanted.text:
        words = wanted.text
        found = found.filter(Q(subject__icontains=words) | Q(summary__icontains=words) | Q(cause__icontains=words))
    return found


_PLAIN = (
    "id", "rule", "key", "object", "subject", "pool", "reservation_id", "owner", "since", "opened_at", "found_at",
    "resolved_at", "resolved_by", "step", "summary", "cause", "snoozed_until", "acknowledged_at", "acknowledged_by",
    "hushed",
)  # fmt: skip


def _row(one: Any) -> EpisodeRow:
    return EpisodeRow(
        **{name: getattr(one, name) for name in _PLAIN},
        teams=frozenset(one.teams),
        severity=Severity(one.severity),
        state=EpisodeState(one.state),
        next_step=step_read(one.next_step),
        weekly=None
        if one.weekly_gpu_ms is None
        else Weekly(one.weekly_gpu_ms, one.weekly_money, one.currency, one.why_no_money),
        assigned_to=one.assignee or "",
        numbers=tuple((name, figure) for name, figure in one.numbers),
    )


def step_read(kept: Mapping[str, Any]) -> NextStep:
    """A next step as it was kept."""
    pairs = {name: tuple((key, value) for key, value in kept.get(name, ())) for name in ("of", "query")}
    return NextStep(kept["verb"], kept["page"], pairs["of"], pairs["query"])
