"""Sending what is due, in turns of recipients: those that work before those that fail, so that none blocks another."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto
from zlib import crc32

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
from telemetry.services.sole_run import sole_run

PATIENCE = timedelta(seconds=50)
"""So long a run begins with recipients that fail; the next run is a minute later and has those that work first."""

TURN = timedelta(seconds=5)
"""So long messages of one recipient begin before the others have their turn, however fast it takes them."""

ROUNDS = timedelta(seconds=25)
"""So long rounds of turns begin; what is left is for the next run, which sees who came meanwhile."""

DELIVERING = 0x64656C69
"""The class of the advisory locks under which a recipient has its turn: no two runs wait for the same receiver."""

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


class Ended(Enum):
    """Why a turn ended: time was up, nothing is left or another run is at it, or a message may be tried again."""

    TIME = auto()
    DONE = auto()
    FAILED = auto()


@dataclass(slots=True)
class Turns:
    """The turns of one recipient within a run; ``passed``: messages it has dealt with."""

    one: Waiting
    passed: set[int] = field(default_factory=set)

    def take(self, way: Way, tally: Tally) -> Ended:
        """Send what is due, for a turn's time at most, up to the first message that may be tried again."""
        with sole_run(DELIVERING, crc32(self.one.recipient.encode()) & 0x7FFFFFFF) as alone:
            return self._send(way, tally) if alone else Ended.DONE

    def _send(self, way: Way, tally: Tally) -> Ended:
        to, began = reached(self.one.recipient, self.one.channel), way.clock()
        more: Failed | bool = True
        while more is True or (isinstance(more, Failed) and more.permanent):
            if way.clock() - began >= TURN:
                return Ended.TIME
            more = send_next(to, way, tally, self.passed)
        if isinstance(more, Failed) or isinstance(send_digest(to, way, tally), Failed):
            return Ended.FAILED
        return Ended.DONE


def deliver_messages(*, clock: Clock, public_url: str, networks: Sequence[Network]) -> Delivered:
    """Send every message that is due, each once whatever other workers do at the same time.

    Safe to be called from anywhere at any time and to be killed at any point: a row is claimed, sent and noted within
    one transaction. What a dying worker may repeat is the one message whose receiver had taken it and whose note was
    not yet written; it carries the same id then.
    """
    way, tally, began = Way(clock, public_url, networks), Tally(), clock()
    turns = [Turns(one) for one in _waiting(began)]
    last = [turn for turn in turns if turn.one.fails]
    going = [turn for turn in turns if not turn.one.fails]
    shared_fails = False
    while going and clock() - began < ROUNDS:
        more = []
        for turn in going:
            if shared_fails and turn.one.channel == SHARED:
                last.append(turn)
                continue
            ended = turn.take(way, tally)
            shared_fails |= ended is Ended.FAILED and turn.one.channel == SHARED
            if ended is Ended.TIME:
                more.append(turn)
        going = more
    for turn in last:
        if clock() - began >= PATIENCE:
            break
        turn.take(way, tally)
    delivered = Delivered(tally.sent, tally.retried, tally.failed, tally.dropped, _due(clock()).count())
    if tally.sent or tally.retried or tally.failed:
        log.info("messages delivered", sent=tally.sent, retried=tally.retried, failed=tally.failed)
    return delivered


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
