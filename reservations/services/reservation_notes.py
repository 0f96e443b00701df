"""What people say about a reservation, whoever listed it: who answers for it, and notes."""

from datetime import datetime, timedelta

from django.db import transaction

from reservations.models import Owner, Reservation, ReservationNote, User
from reservations.services.audit import AuditAct, record_event

LONGEST_NOTE = 2000
SAME_WITHIN = timedelta(minutes=2)


class UnableToNote(Exception):
    """The text is blank or too long; the message is one sentence."""


class UnableToSetOwner(Exception):
    """There is no such team; the message is one sentence."""


@transaction.atomic
def add_note(*, pk: int, user_id: int, text: str, at: datetime) -> None:
    """Keep a note; the same text by the same person within two minutes is one note, however often it was sent."""
    row = Reservation.objects.select_for_update().get(pk=pk)
    text = text.replace("\r\n", "\n").strip()
    if not text or "\0" in text:
        raise UnableToNote("Write something before you keep it.")
    if len(text) > LONGEST_NOTE:
        raise UnableToNote(f"A note may have {LONGEST_NOTE} characters, and this has {len(text)}.")
    if row.notes.filter(written_by_id=user_id, text=text, written_at__gt=at - SAME_WITHIN).exists():
        return
    ReservationNote.objects.create(reservation=row, written_by=User.objects.get(pk=user_id), written_at=at, text=text)


@transaction.atomic
def set_owner(*, pk: int, owner: str | None) -> bool:
    """Say which team answers for a reservation, None: its pool's owner does; whether that changed anything."""
    row = Reservation.objects.select_for_update(of=("self",)).select_related("owner").get(pk=pk)
    team = Owner.objects.filter(name=owner).first() if owner and "\0" not in owner else None
    if owner and team is None:
        raise UnableToSetOwner(f"There is no team “{owner[:80]}”.")
    if row.owner_id == (team.pk if team else None):
        return False
    before = {"id": row.external_id, "owner": row.owner.name if row.owner else None}
    row.owner = team
    row.save(update_fields=["owner"])
    after = {"id": row.external_id, "owner": team.name if team else None}
    record_event(what=AuditAct.INVENTORY_CHANGED, about="reservation", ident=str(pk), before=before, after=after)
    return True
