"""Wiring. Django loads this first: tasks find their Celery app, and the system checks are known."""

from config import checks as checks
from config.celery import app as celery_app

__all__ = ["celery_app"]
