"""Taking the trail away, whole, of a period or of one object; who did so is an event of it."""

from django.db import transaction

from reservations.domain.audit_chain import AuditAct, Event
from reservations.selectors.audit import TrailFilter, trail_events
from reservations.services.audit.origin import By, origin
from reservations.services.audit.recording import record_event


@transaction.atomic
def exported_events(*, asked: TrailFilter, form: str, by: By = None, most: int | None = None) -> list[Event] | None:
    """These events, taken away in a form; None, with nothing written down, where they are more than ``most``."""
    found: list[Event] = []
    for event in trail_events(asked):
        if most is not None and len(found) == most:
            return None
        found.append(event)
    record_export(asked=asked, form=form, rows=len(found), by=by)
    return found


@transaction.atomic
def record_export(*, asked: TrailFilter, form: str, rows: int, by: By = None) -> None:
    """Write down that somebody took events away."""
    filters = {name: getattr(asked, name) for name in TrailFilter.__dataclass_fields__ if getattr(asked, name)}
    record_event(what=AuditAct.EXPORTED, about="audit", ident=form, by=by, after={"filters": filters, "rows": rows})


@transaction.atomic(savepoint=False)
def record_taken(*, name: str, rows: int) -> None:
    """Write down that somebody took figures away, and by which address with which filters."""
    record_event(what=AuditAct.EXPORTED, about="file", ident=name, after={"asked": origin().asked, "rows": rows})
