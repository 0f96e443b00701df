"""What a message says: text, HTML and what a program gets, from the figures of the episode as they are now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from typing import Any

from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode

from reservations.domain import notation
from scheduler.domain.alert.episode import EpisodeState, Step
from scheduler.domain.alert.figures import without_money
from scheduler.domain.alert.message import Message
from scheduler.domain.alert.steps import TROUBLE
from scheduler.models import AlertEpisode, Delivery
from scheduler.selectors.alerts import step_read

HEADS = {
    Step.OPENED.value: "A new alert.",
    Step.FALLBACK.value: "Nobody who answers for it has: you are asked next.",
    Step.ESCALATED.value: "Nobody has answered: it comes to the whole organisation.",
    Step.RESOLVED.value: "This is over.",
}


@dataclass(frozen=True, slots=True)
class Told:
    """How a recipient reads: the address links begin with, the clock, and whether the role includes prices."""

    base: str
    clock: tzinfo = UTC
    prices: bool = True


def single_message(delivery: Delivery, told: Told, *, sent_at: datetime) -> Message:
    """One step of one episode."""
    page = _context(delivery, told)
    return Message(
        id=f"delivery-{delivery.pk}",
        subject=delivery.subject,
        text=render_to_string("notifications/alert.txt", page),
        html=render_to_string("notifications/alert.html", page),
        data=_data(delivery, told),
        sent_at=sent_at,
    )


def digest_message(name: str, deliveries: Sequence[Delivery], told: Told, *, sent_at: datetime) -> Message:
    """Everything of a day that could wait, most pressing first."""
    ordered = sorted(deliveries, key=lambda one: (one.step == Step.RESOLVED, _pressing(one.episode), one.pk))
    page = {"alerts": [_context(one, told) for one in ordered], "inbox": _inbox(told)}
    many = f"{len(ordered)} alert{'s' if len(ordered) != 1 else ''}"
    return Message(
        id=name,
        subject=f"Moorage: {many} of the day",
        text=render_to_string("notifications/digest.txt", page),
        html=render_to_string("notifications/digest.html", page),
        data={"event": "digest", "alerts": [_data(one, told) for one in ordered]},
        sent_at=sent_at,
    )


def digest_name(recipient: str, day: str) -> str:
    """What a day's digest to a recipient is known by, also where the worker that began it died."""
    return f"digest-{day}-{sha256(recipient.encode()).hexdigest()[:16]}"


def _context(delivery: Delivery, told: Told) -> dict[str, Any]:
    episode = delivery.episode
    step = step_read(episode.next_step)
    return {
        "subject": delivery.subject,
        "head": HEADS.get(delivery.step) or _head(delivery.step),
        "severity": episode.severity,
        "over": episode.state == EpisodeState.RESOLVED.value,
        "name": episode.subject,
        "summary": episode.summary,
        "cause": episode.cause,
        "since": notation.instant(episode.since, told.clock),
        "resolved": notation.instant(episode.resolved_at, told.clock) if episode.resolved_at else "",
        "owner": episode.owner,
        "cost": _cost(episode, told),
        "numbers": episode.numbers if told.prices else without_money(episode.numbers),
        "verb": step.verb,
        "next": _link(told, step.page, dict(step.of), dict(step.query)),
        "page": _page(episode, told),
    }


def _head(step: str) -> str:
    if step.startswith(Step.WORSE.value):
        return "It presses more than it did."
    if step.startswith(Step.WOKEN.value):
        return "It was put off until now."
    if step.startswith(f"{TROUBLE} "):
        return f"A job is in trouble: {step.removeprefix(TROUBLE).strip()}."
    return f"The next step has come: {step}."


def _cost(episode: AlertEpisode, told: Told) -> str:
    if episode.weekly_money is None or not told.prices:
        return ""
    return f"{notation.amount(episode.weekly_money, episode.currency)} a week"


def _data(delivery: Delivery, told: Told) -> Mapping[str, object]:
    episode = delivery.episode
    known = told.prices and episode.weekly_money is not None
    return {
        "event": delivery.step,
        "alert": episode.pk,
        "rule": episode.rule,
        "object": episode.object,
        "subject": episode.subject,
        "severity": episode.severity,
        "owner": episode.owner,
        "pool": episode.pool,
        "since": episode.since.isoformat(),
        "resolved": episode.resolved_at.isoformat() if episode.resolved_at else None,
        "summary": episode.summary,
        "cause": episode.cause,
        "weekly_cost": {"amount": str(episode.weekly_money), "currency": episode.currency} if known else None,
        "url": _page(episode, told),
    }


def _pressing(episode: AlertEpisode) -> int:
    return {"critical": 0, "warning": 1}.get(episode.severity, 2)


def _page(episode: AlertEpisode, told: Told) -> str:
    return _link(told, "scheduler:alert", {"pk": str(episode.pk)}, {}) or told.base


def _inbox(told: Told) -> str:
    return _link(told, "scheduler:alerts", {}, {}) or told.base


def _link(told: Told, page: str, of: dict[str, str], query: dict[str, str]) -> str:
    """An absolute address; blank for a page that this release has no more."""
    try:
        path = reverse(page, kwargs=of)
    except NoReverseMatch:
        return ""
    return f"{told.base.rstrip('/')}{path}" + (f"?{urlencode(query)}" if query else "")
