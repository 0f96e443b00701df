"""A task whose effect can be seen from outside."""

from pathlib import Path

from celery import shared_task


@shared_task(name="tests.probe")
def probe(path: str) -> None:
    Path(path).touch()
