"""The Celery app and the one table of everything that runs by the clock."""

import os
from typing import Any

from celery import Celery, signals
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("moorage", task_cls="config.task_origin:ToldTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["telemetry", "scheduler"])

app.conf.task_routes = {
    "telemetry.sync_reservations": {"queue": "collect"},
    "telemetry.collect_due_hours": {"queue": "compute"},
    "telemetry.forget_old_runs": {"queue": "compute"},
    "telemetry.forget_old_details": {"queue": "compute"},
    "telemetry.forget_old_instances": {"queue": "compute"},
    "telemetry.mend_days": {"queue": "compute"},
    "telemetry.mend_demand": {"queue": "compute"},
    "telemetry.run_recollections": {"queue": "compute"},
    "scheduler.run_allocations": {"queue": "allocate"},
    "scheduler.forget_old_allocation_runs": {"queue": "compute"},
    # What plans on the allocator's kernels runs where they are compiled, and keeps no hour from being collected.
    "scheduler.run_month_replays": {"queue": "allocate"},
    "scheduler.forget_old_month_replays": {"queue": "compute"},
    "scheduler.recommend_monthly": {"queue": "compute"},
    "scheduler.check_alerts": {"queue": "compute"},
    "scheduler.deliver_messages": {"queue": "notify"},
    "scheduler.forget_old_alerts": {"queue": "compute"},
    "scheduler.propose_renewals": {"queue": "compute"},
    "scheduler.refresh_calendar": {"queue": "compute"},
    "scheduler.lapse_exceptions": {"queue": "compute"},
    "scheduler.measure_exception_outcomes": {"queue": "compute"},
    # It may wait for trainers and storage, and must not wait behind what computes for minutes.
    "scheduler.watch_blocks": {"queue": "notify"},
}

app.conf.beat_schedule = {
    "sync_reservations": {"task": "telemetry.sync_reservations", "schedule": crontab(minute="*/5")},
    # An hour is due five minutes after its end, by the worker's clock: the sixth leaves a minute between the clocks.
    "collect_due_hours": {"task": "telemetry.collect_due_hours", "schedule": crontab(minute="6")},
    # Two minutes after the inventory was read: in between nothing changes but the clock, and the earliest step that
    # any rule counts in minutes is forty ahead of what it warns of.
    "check_alerts": {
        "task": "scheduler.check_alerts",
        "schedule": crontab(minute="2-59/5"),
        "options": {"expires": 280},
    },
    "deliver_messages": {"task": "scheduler.deliver_messages", "schedule": crontab(), "options": {"expires": 55}},
    "forget_old_alerts": {"task": "scheduler.forget_old_alerts", "schedule": crontab(hour="4", minute="16")},
    "watch_blocks": {"task": "scheduler.watch_blocks", "schedule": crontab(), "options": {"expires": 55}},
    # A door sends the same task at once; this one finds what was asked while the broker was down or a worker died over.
    "run_recollections": {
        "task": "telemetry.run_recollections",
        "schedule": crontab(),
        "options": {"expires": 55},
    },
    "run_allocations": {
        "task": "scheduler.run_allocations",
        "schedule": crontab(),
        "options": {"expires": 55},
    },
    "run_month_replays": {
        "task": "scheduler.run_month_replays",
        "schedule": crontab(),
        "options": {"expires": 55},
    },
    "forget_old_month_replays": {
        "task": "scheduler.forget_old_month_replays",
        "schedule": crontab(hour="4", minute="1"),
    },
    # An end that moved must be decided anew before the day is over; the calendar tells of it a minute later.
    "propose_renewals": {"task": "scheduler.propose_renewals", "schedule": crontab(minute="21")},
    "refresh_calendar": {"task": "scheduler.refresh_calendar", "schedule": crontab(minute="22")},
    # Well before the day's work, and each hour, since a price moves at any of them.
    "lapse_exceptions": {"task": "scheduler.lapse_exceptions", "schedule": crontab(minute="26")},
    "measure_exception_outcomes": {
        "task": "scheduler.measure_exception_outcomes",
        "schedule": crontab(hour="5", minute="11"),
    },
    "forget_old_runs": {"task": "telemetry.forget_old_runs", "schedule": crontab(hour="3", minute="41")},
    "mend_demand": {"task": "telemetry.mend_demand", "schedule": crontab(hour="3", minute="36")},
    "mend_days": {"task": "telemetry.mend_days", "schedule": crontab(hour="3", minute="31")},
    "forget_old_details": {"task": "telemetry.forget_old_details", "schedule": crontab(hour="3", minute="51")},
    "forget_old_instances": {"task": "telemetry.forget_old_instances", "schedule": crontab(hour="4", minute="6")},
    "forget_old_allocation_runs": {
        "task": "scheduler.forget_old_allocation_runs",
        "schedule": crontab(hour="3", minute="56"),
    },
    # The month's last hours are final a day after they ended, whatever the zone.
    "recommend_monthly": {
        "task": "scheduler.recommend_monthly",
        "schedule": crontab(day_of_month="3", hour="4", minute="11"),
    },
}


@signals.celeryd_init.connect
@signals.beat_init.connect
def start_embedded(**kwargs: Any) -> None:
    """A worker or beat may be the first that needs the embedded servers."""
    from django.conf import settings

    from config import embedded

    embedded.start(settings.DATA_DIR, settings.EMBEDDED)


@signals.celeryd_after_setup.connect
def warm_up(instance: Any, **kwargs: Any) -> None:
    """Have the allocator compiled before the worker's processes are forked, where it takes the allocator's runs."""
    if "allocate" in instance.app.amqp.queues.consume_from:
        from scheduler.services.allocation import warm_up_allocator

        warm_up_allocator()


@signals.setup_logging.connect
def keep_logging(**kwargs: Any) -> None:
    """Celery leaves logging as the settings have it."""
