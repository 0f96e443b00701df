"""What the audit trail is told of a task: that nobody came by a door, and which task it was."""

from typing import Any

from celery import Task


class ToldTask(Task):
    """A task whose events are by its name; who asked for what it works off stands in them where it is known."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # Not before the settings are there: the app itself is made without them.
        from reservations.services.audit import Origin, Via, coming_from

        with coming_from(Origin(via=Via.TASK, by=self.name, request_id=self.request.id or "")):
            return super().__call__(*args, **kwargs)
