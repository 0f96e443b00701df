"""Alerts in every state, with notes, messages that went and that did not, routes and a threshold set otherwise."""

from datetime import timedelta

from django.utils import timezone

from reservations.models import Owner, Pool, Reservation, User
from scheduler.models import AlertEpisode, Delivery, EpisodeNote, NotificationRoute, RuleThreshold
from tests.scheduler.alerted import alerted

LONG = "a-subject-without-any-blank-in-it-that-goes-on-" * 3


def alerting(person: User, reservation: Reservation) -> AlertEpisode:
    """The one with a story; ``person`` is whom something is assigned to and who keeps a route."""
    now = timezone.now()
    one = alerted(since=reservation.start_at + timedelta(days=9), reservation=reservation)
    alerted(LONG, severity="critical", cause=LONG, weekly_money=None, why_no_money="no price is known of it")
    alerted("cr-0bbb", severity="notice", state="acknowledged", acknowledged_by="operator", assigned_to=person)
    alerted("cr-0ccc", state="snoozed", snoozed_until=now + timedelta(days=1))
    alerted(key=one.key, object=f"{one.object}@before", state="resolved", resolved_at=now)
    for deed, text, by in (
        ("commented", LONG, "operator"),
        ("worse", "warning", ""),
        ("assigned", "operator", "owner"),
    ):
        EpisodeNote.objects.create(episode=one, deed=deed, text=text, by=by, at=now)
    route = NotificationRoute.objects.create(
        owner=Owner.objects.get(name="serving"), name="on call", channel="apprise", address_sealed="x",
        shown="slack://…", made_by="operator", made_at=now, failing_since=now, last_error="It answered 404.",
    )  # fmt: skip
    NotificationRoute.objects.create(
        user=person, name="my mail", channel="email", address_sealed="x", shown="o…@example.com", made_at=now,
        quiet_from="22:00", quiet_until="07:00", rules=["reserved_unused", "double_pay"],
    )  # fmt: skip
    for place, state in enumerate(("due", "sent", "failed", "dropped")):
        Delivery.objects.create(
            episode=one, step=f"step {place}", recipient=f"route:{route.pk}", route=route, channel="apprise",
            shown=route.shown, mode="digest" if place else "at_once", state=state, attempts=place, owed_at=now,
            try_at=now, sent_at=now if state == "sent" else None, error=LONG[:200] if state == "failed" else "",
            subject="Reserved but unused: cr-0aaa",
        )  # fmt: skip
    RuleThreshold.objects.create(
        rule="reserved_unused", name="unused_for", pool=Pool.objects.get(name="serve-h100"), value="3 h",
        reason="its nodes boot slowly", set_by="owner", set_at=now,
    )  # fmt: skip
    return one
