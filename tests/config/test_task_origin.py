"""Whatever a task does is told as a task's doing, by its name, and what comes after it as before."""

import pytest
from django.db import transaction

from config.celery import app
from config.task_origin import ToldTask
from reservations.models import AuditEvent
from reservations.services.audit import AuditAct, Via, origin, record_event

pytestmark = pytest.mark.django_db


def test_every_task_tells_of_itself() -> None:
    app.loader.import_default_modules()
    ours = [task for name, task in app.tasks.items() if name.startswith(("scheduler.", "telemetry."))]
    assert len(ours) > 10
    assert all(isinstance(task, ToldTask) for task in ours)


@pytest.mark.parametrize("sent", [False, True])
def test_an_event_of_a_task_is_by_the_task_and_of_a_person_where_one_asked(sent: bool) -> None:
    @app.task(name="scheduler.told_in_a_test", shared=False)
    def told() -> None:
        with transaction.atomic():
            record_event(what=AuditAct.MEASURED_AGAIN, about="pool", ident="1")
            record_event(what=AuditAct.MEASURED_AGAIN, about="pool", ident="2", by=("ada", "7"))

    try:
        if sent:
            told.apply().get()
        else:
            told()
    finally:
        app.tasks.pop("scheduler.told_in_a_test")
    rows = AuditEvent.objects.order_by("sequence").values_list("via", "by_name", "by_id")
    assert list(rows) == [("task", "scheduler.told_in_a_test", ""), ("task", "ada", "7")]
    assert origin().via is Via.COMMAND
