"""The Celery app and the one table of everything that runs by the clock."""

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("moorage")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["telemetry", "scheduler"])

app.conf.task_routes = {
    "telemetry.sync_reservations": {"queue": "collect"},
    "telemetry.collect_due_hours": {"queue": "compute"},
}

app.conf.beat_schedule = {
    "sync_reservations": {"task": "telemetry.sync_reservations", "schedule": crontab(minute="*/5")},
    "collect_due_hours": {"task": "telemetry.collect_due_hours", "schedule": crontab(minute="5")},
}
