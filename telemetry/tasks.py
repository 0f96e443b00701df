"""What runs by the clock, each the call of one service; when it runs stands in the beat table in config."""

from datetime import UTC, datetime, timedelta

from celery import shared_task
from django.conf import settings

from telemetry.services import collection, demand, mending, recollecting, retention, sync


@shared_task(name="telemetry.collect_due_hours")
def collect_due_hours() -> None:
    """Compute the ledger hours that are due."""
    collection.collect_due_hours(as_of=datetime.now(UTC))


@shared_task(name="telemetry.sync_reservations")
def sync_reservations() -> None:
    """Ask every account and region what it holds now."""
    # On the minute: an observation holds for ten, and a second's jitter must not open a gap where one poll was missed.
    sync.sync_reservations(as_of=datetime.now(UTC).replace(second=0, microsecond=0))


@shared_task(name="telemetry.run_recollections")
def run_recollections() -> None:
    """Work off what was asked for once more."""
    recollecting.run_recollections(clock=lambda: datetime.now(UTC))


@shared_task(name="telemetry.forget_old_runs")
def forget_old_runs() -> None:
    """Let go of the tries that no figure needs any more."""
    retention.forget_old_runs(as_of=datetime.now(UTC))


@shared_task(name="telemetry.forget_old_details")
def forget_old_details() -> None:
    """Let go of the nodes and pods behind hours that are older than they are kept for."""
    retention.forget_old_details(before=datetime.now(UTC) - timedelta(days=settings.HOUR_DETAILS_DAYS))


@shared_task(name="telemetry.forget_old_instances")
def forget_old_instances() -> None:
    """Let go of instances that were last seen longer ago than they are kept for."""
    retention.forget_old_instances(before=datetime.now(UTC) - timedelta(days=settings.INSTANCE_HISTORY_DAYS))


@shared_task(name="telemetry.mend_days")
def mend_days() -> None:
    """Add up again what an older release's worker wrote hours of without their days."""
    mending.mend_days(since=datetime.now(UTC) - timedelta(days=40))


@shared_task(name="telemetry.mend_demand")
def mend_demand() -> None:
    """Derive the demand of hours that an older release's worker wrote without it."""
    demand.mend_demand(since=datetime(1970, 1, 1, tzinfo=UTC))
