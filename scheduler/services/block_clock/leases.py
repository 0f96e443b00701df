"""Which controller is at which job: a lease by the database's clock, so that a dead one's jobs are soon another's."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from scheduler.domain.block_clock.states import LIVE
from scheduler.models import EndingJob


@transaction.atomic
def lease(*, numbers: Collection[int], controller: UUID, length: timedelta) -> set[int]:
    """Of these jobs those that this controller is at from now on; what another is at, or locks, is left to it."""
    free = Q(leased_until=None) | Q(leased_until__lte=Now()) | Q(leased_by=controller)
    rows = EndingJob.objects.select_for_update(skip_locked=True).filter(free, pk__in=numbers, state__in=LIVE)
    taken = set(rows.values_list("pk", flat=True))
    _held_until(taken, controller, length)
    return taken


@transaction.atomic
def renew(*, numbers: Collection[int], controller: UUID, length: timedelta) -> set[int]:
    """Hold on to jobs for longer, as work on them still goes on; those of them that still are this controller's."""
    rows = EndingJob.objects.select_for_update().filter(pk__in=numbers, leased_by=controller)
    still = set(rows.values_list("pk", flat=True))
    _held_until(still, controller, length)
    return still


def release(*, controller: UUID) -> None:
    """Leave every job to whoever comes next."""
    EndingJob.objects.filter(leased_by=controller).update(leased_by=None, leased_until=None)


def _held_until(numbers: object, controller: UUID, length: timedelta) -> None:
    EndingJob.objects.filter(pk__in=numbers).update(leased_by=controller, leased_until=Now() + length)
