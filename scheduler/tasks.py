"""What workers do for this floor, each the call of one service; when it runs stands in the beat table in config."""

from datetime import UTC, datetime

from celery import shared_task
from django.conf import settings

from scheduler.services import alerts, allocation, block_clock, deliveries, exceptions, recommendations, replay
from scheduler.services.calendar import refresh_calendar as refresh
from scheduler.services.renewals import propose_renewals as propose


@shared_task(name="scheduler.run_allocations")
def run_allocations() -> None:
    """Work off what the allocator's full mode was asked."""
    allocation.run_allocations(clock=lambda: datetime.now(UTC))


@shared_task(name="scheduler.forget_old_allocation_runs")
def forget_old_allocation_runs() -> None:
    """Let go of the allocator's old answers."""
    allocation.forget_old_allocation_runs(as_of=datetime.now(UTC))


@shared_task(name="scheduler.recommend_monthly")
def recommend_monthly() -> None:
    """Recommend about every pool for the last whole month."""
    now = datetime.now(UTC)
    recommendations.recommend(as_of=now, made_at=now)


@shared_task(name="scheduler.run_month_replays")
def run_month_replays() -> None:
    """Work off the months that are to be replayed."""
    replay.run_month_replays(clock=lambda: datetime.now(UTC))


@shared_task(name="scheduler.propose_renewals")
def propose_renewals() -> None:
    """Bring the renewals to what the inventory shows."""
    propose(as_of=datetime.now(UTC))


@shared_task(name="scheduler.refresh_calendar")
def refresh_calendar() -> None:
    """Bring the calendar to what the inventory and the decisions say."""
    refresh(as_of=datetime.now(UTC))


@shared_task(name="scheduler.forget_old_month_replays")
def forget_old_month_replays() -> None:
    """Let go of old replays, but for the newest of each month."""
    replay.forget_old_month_replays(as_of=datetime.now(UTC))


@shared_task(name="scheduler.watch_blocks")
def watch_blocks() -> None:
    """Do what is due about jobs on blocks that end."""
    block_clock.watch_blocks(
        as_of=datetime.now(UTC), clock=lambda: datetime.now(UTC), private=settings.PRIVATE_NETWORKS
    )


@shared_task(name="scheduler.check_alerts")
def check_alerts() -> None:
    """Ask every alert rule about now."""
    now = datetime.now(UTC)
    alerts.check_alerts(as_of=now, made_at=now)


@shared_task(name="scheduler.deliver_messages")
def deliver_messages() -> None:
    """Send what is due."""
    deliveries.deliver_messages(
        clock=lambda: datetime.now(UTC), public_url=settings.PUBLIC_URL, networks=settings.PRIVATE_NETWORKS
    )


@shared_task(name="scheduler.forget_old_alerts")
def forget_old_alerts() -> None:
    """Let go of alerts that were resolved long ago."""
    alerts.forget_old_alerts(as_of=datetime.now(UTC))


@shared_task(name="scheduler.lapse_exceptions")
def lapse_exceptions() -> None:
    """Let requests lapse that are past their time or their price."""
    exceptions.lapse_exceptions(at=datetime.now(UTC))


@shared_task(name="scheduler.measure_exception_outcomes")
def measure_exception_outcomes() -> None:
    """Keep what became of requests whose ninety days are over."""
    exceptions.measure_exception_outcomes(at=datetime.now(UTC))
