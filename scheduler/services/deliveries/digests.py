"""Sending the day's digests: one message a day to each recipient, of everything that could wait."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from scheduler.domain.alert.delivery import DeliveryState, Mode
from scheduler.domain.alert.fate import Planned, may_be_on_its_way
from scheduler.domain.alert.hours import digest_after, digest_day
from scheduler.models import Delivery, Digest
from scheduler.services.deliveries.messages import Told, digest_message, digest_name
from scheduler.services.deliveries.outcome import Failed, tried, write_outcome
from scheduler.services.deliveries.recipients import Reached, tell_route
from scheduler.services.deliveries.singles import drop, is_in_hand, needless, planned
from scheduler.services.deliveries.way import Tally, Way

ENDED = frozenset({DeliveryState.SENT.value, DeliveryState.FAILED.value})


@transaction.atomic
def send_digest(to: Reached, way: Way, tally: Tally) -> Failed | bool:
    """Send the digest that is due to a recipient; False where none is, or another worker has it in hand.

    What comes after the day's digest waits for the next; a day's digest that was given up takes its messages along.
    """
    now = way.clock()
    rows = _claimed(to.recipient, now)
    if not rows:
        return False
    kept = _needed(rows, to, tally)
    if not kept:
        return True
    day = digest_day(now, to.digest_hour, to.clock)
    Digest.objects.get_or_create(recipient=to.recipient, day=day, defaults={"route": to.route, "try_at": now})
    digest = Digest.objects.select_for_update().get(recipient=to.recipient, day=day)
    if digest.state in ENDED:
        _postpone(kept, digest_after(now, to.digest_hour, to.clock))
        return False
    if digest.try_at > now:
        _postpone(kept, digest.try_at)
        return False
    return _sent(digest, kept, to, way, tally, now)


def _sent(
    digest: Digest, rows: Sequence[Delivery], to: Reached, way: Way, tally: Tally, now: datetime
) -> Failed | bool:
    prices = all(to.may_see_prices(row.episode) for row in rows)
    name = digest_name(to.recipient, f"{digest.day:%Y-%m-%d}")
    message = digest_message(name, rows, Told(way.base, to.clock, prices), sent_at=now)
    failed = tried(to, message, way.networks)
    after = way.clock()
    write_outcome(digest, failed, to, urgent=True, at=after)
    digest.save(update_fields=["attempts", "state", "sent_at", "error", "try_at"])
    for row in rows:
        row.digest, row.state, row.error = digest, digest.state, digest.error
        row.attempts, row.sent_at, row.try_at = row.attempts + 1, digest.sent_at, digest.try_at
    Delivery.objects.bulk_update(rows, ["digest", "state", "error", "attempts", "sent_at", "try_at"], batch_size=500)
    tell_route(to.route, failed=failed.sentence if failed else "", at=after)
    tally.count(DeliveryState(digest.state), len(rows))
    return failed or False


def _needed(rows: Sequence[Delivery], to: Reached, tally: Tally) -> list[Delivery]:
    """Those that must go out now; what is needless is dropped, what another worker's message decides waits."""
    others = _others(rows, to.recipient)
    kept = []
    for row in rows:
        rest = [other for other in others[row.episode_id].values() if other.id != row.pk]
        if may_be_on_its_way(planned(row), rest) and is_in_hand(row):
            continue
        why = needless(row, to, rest)
        if why:
            drop(row, why)
            others[row.episode_id][row.pk] = planned(row)
            tally.dropped += 1
        else:
            kept.append(row)
    return kept


def _others(rows: Sequence[Delivery], recipient: str) -> dict[int, dict[int, Planned]]:
    """All that was planned of these episodes for a recipient, by episode and id, in one query."""
    found: dict[int, dict[int, Planned]] = defaultdict(dict)
    episodes = {row.episode_id for row in rows}
    for other in Delivery.objects.filter(recipient=recipient, episode__in=episodes).order_by("pk"):
        found[other.episode_id][other.pk] = planned(other)
    return found


def _claimed(recipient: str, now: datetime) -> list[Delivery]:
    return list(
        Delivery.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("episode")
        .filter(recipient=recipient, state=DeliveryState.DUE.value, mode=Mode.DIGEST.value, try_at__lte=now)
        .order_by("pk")
    )


def _postpone(rows: Sequence[Delivery], to: datetime) -> None:
    Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(try_at=to)
