from django.db import models
from django.db.models import F, Q

from reservations.domain.audit_chain import FIRST_LINK, Via


class AuditEvent(models.Model):
    """What somebody did, as one link of a chain; only ever added to.

    Nothing is pointed at: people and things stand here by name and number as they were, so that removing them alters
    no row. Triggers refuse every other writing, and keep the head beside it.
    """

    sequence = models.PositiveBigIntegerField(primary_key=True, help_text="without a gap, from 1")
    at = models.DateTimeField(help_text="by the database's clock")
    act = models.CharField(max_length=64)
    about = models.CharField(max_length=64, help_text="the kind of thing that was acted on")
    ident = models.CharField(max_length=200, blank=True)
    by_name = models.CharField(max_length=150, blank=True, help_text="blank: nobody who was logged in")
    by_id = models.CharField(max_length=32, blank=True)
    acting_for = models.CharField(max_length=150, blank=True, help_text="whose authority was used, if another's")
    via = models.CharField(max_length=16, choices=[(via.value, via.value) for via in Via])
    address = models.CharField(max_length=64, blank=True, help_text="the network address it came from")
    request_id = models.CharField(max_length=64, blank=True)
    before = models.TextField(blank=True, help_text="JSON as it was hashed; blank: nothing stood there")
    after = models.TextField(blank=True, help_text="JSON as it was hashed; blank: nothing stands there any more")
    why = models.TextField(blank=True)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)

    class Meta:
        indexes = [
            models.Index(fields=["at"], name="audit_by_time"),
            models.Index(fields=["about", "ident", "sequence"], name="audit_by_object"),
            models.Index(fields=["by_name", "sequence"], name="audit_by_person"),
            models.Index(fields=["act", "sequence"], name="audit_by_act"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(sequence__gt=0), name="audit_counts_from_one"),
            models.CheckConstraint(condition=~Q(act="") & ~Q(about=""), name="audit_says_what_of_what"),
            models.CheckConstraint(condition=Q(via__in=[via.value for via in Via]), name="audit_via_is_known"),
            models.CheckConstraint(
                condition=Q(hash__regex=r"^[0-9a-f]{64}$", previous_hash__regex=r"^[0-9a-f]{64}$")
                & ~Q(hash=F("previous_hash")),
                name="audit_hashes_are_hashes",
            ),
            models.CheckConstraint(
                condition=Q(sequence=1, previous_hash=FIRST_LINK) | Q(sequence__gt=1) & ~Q(previous_hash=FIRST_LINK),
                name="audit_begins_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sequence}: {self.act} {self.about} {self.ident}".rstrip()


class AuditHead(models.Model):
    """The one row that counts the trail: how many events there are, and the last one's hash; triggers keep it."""

    count = models.PositiveBigIntegerField()
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="audit_head_is_one_row")]

    def __str__(self) -> str:
        return f"{self.count}:{self.hash}"
