"""Letting go of what was resolved long ago."""

from datetime import datetime, timedelta

from django.db.models import Q

from scheduler.domain.alert.delivery import DeliveryState
from scheduler.models import AlertEpisode, AlertEvaluation, Digest

KEPT_FOR = timedelta(days=400)
"""A year and a month, so that the same month of last year can be looked at."""

EVALUATIONS_KEPT_FOR = timedelta(days=30)
"""They say when a rule failed or was silent; beyond a month nobody asks."""


def forget_old_alerts(*, as_of: datetime) -> int:
    """Delete episodes resolved longer ago than is kept, with notes and deliveries; how many.

    What is still silent because a person resolved it stays, and so does the newest evaluation, however old.
    """
    old = Q(resolved_at__lt=as_of - KEPT_FOR, hushed=False)
    episodes = AlertEpisode.objects.filter(old)
    number = episodes.count()
    episodes.delete()
    ended = Digest.objects.exclude(state=DeliveryState.DUE.value)
    ended.filter(day__lt=(as_of - KEPT_FOR).date()).delete()
    newest = AlertEvaluation.objects.values_list("pk", flat=True).first()
    AlertEvaluation.objects.filter(as_of__lt=as_of - EVALUATIONS_KEPT_FOR).exclude(pk=newest).delete()
    return number
