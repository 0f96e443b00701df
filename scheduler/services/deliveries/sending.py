"""Sending what is due, recipient by recipient: those that work before those that fail, so that none blocks another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db.models import F, Max, Min, QuerySet

from scheduler.domain.alert.delivery import ChannelName, DeliveryState
from scheduler.domain.outside_address import Network
from scheduler.models import Delivery
from scheduler.services.deliveries.digests import send_digest
from scheduler.services.deliveries.outcome import Failed
from scheduler.services.deliveries.recipients import reached
from scheduler.services.deliveries.singles import send_next
from scheduler.services.deliveries.way import Clock, Tally, Way

PATIENCE = timedelta(seconds=50)
"""So long a run begins with recipients that fail; the next run is a minute later and has those that work first."""

SHARED = ChannelName.EMAIL.value
"""The channel that all recipients reach by one server: where it fails for one, the others wait for their turn last."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Delivered:
    """What a run did: messages out, to be tried again, given up, dropped as needless, and still due to others."""

    sent: int
    retried: int
    failed: int
    dropped: int
    left: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A recipient with something due; ``fails``: its last message did not go out."""

    recipient: str
    channel: str
    fails: bool


def deliver_messages(*, clock: Clock, public_url: str, networks: Sequence[Network]) -> Delivered:
    """Send every message that is due, each once whatever other workers do at the same time.

    Safe to be called from anywhere at any time and to be killed at any point: a row is claimed, sent and noted within
    one transaction. What a dying worker may repeat is the one message whose receiver had taken it and whose note was
    not yet written; it carries the same id then.
    """
    way, tally, began = Way(clock, public_url, networks), Tally(), clock()
    last: list[Waiting] = []
    shared_fails = False
    for one in _waiting(began):
        if one.fails or (shared_fails and one.channel == SHARED):
            last.append(one)
            continue
        shared_fails |= not _work_off(one, way, tally) and one.channel == SHARED
    for one in last:
        if clock() - began >= PATIENCE:
            break
        _work_off(one, way, tally)
    delivered = Delivered(tally.sent, tally.retried, tally.failed, tally.dropped, _due(clock()).count())
    if tally.sent or tally.retried or tally.failed:
        log.info("messages delivered", sent=tally.sent, retried=tally.retried, failed=tally.failed)
    return delivered


def _work_off(one: Waiting, way: Way, tally: Tally) -> bool:
    """Send all that is due to a recipient, up to the first that may be tried again; whether none failed so."""
    to = reached(one.recipient, one.channel)
    passed: set[int] = set()
    more: Failed | bool = True
    while more is True or (isinstance(more, Failed) and more.permanent):
        more = send_next(to, way, tally, passed)
    if isinstance(more, Failed):
        return False
    return not isinstance(send_digest(to, way, tally), Failed)


def _waiting(now: datetime) -> list[Waiting]:
    """Recipients with something due: those that work, the longest waiting first, then those that fail."""
    rows = (
        _due(now)
        .values("recipient")
        .annotate(
            channel=Min("channel"), first=Min("try_at"), failing=Max("route__failing_since"), tries=Max("attempts")
        )
        .order_by(F("failing").asc(nulls_first=True), "first", "recipient")
    )
    found = [Waiting(row["recipient"], row["channel"], bool(row["failing"] or row["tries"])) for row in rows]
    return sorted(found, key=lambda one: one.fails)


def _due(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(state=DeliveryState.DUE.value, try_at__lte=now)
