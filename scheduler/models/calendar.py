"""Calendar feeds, and the events in them as they were last told."""

from django.db import models
from django.db.models import F, Q

from scheduler.domain.calendar.event import EventKind

_KINDS = [kind.value for kind in EventKind]


class CalendarEntry(models.Model):
    """One event of one reservation; ``text`` is what every feed with it says, word for word until the event changes."""

    uid = models.CharField(max_length=120, unique=True)
    reservation = models.ForeignKey("reservations.Reservation", null=True, on_delete=models.SET_NULL, related_name="+")
    owner = models.CharField(max_length=80, blank=True, help_text="the team that answers for it; blank: none")
    kind = models.CharField(max_length=24, choices=[(word, word) for word in _KINDS])
    on = models.DateField(null=True, blank=True, help_text="of what takes a whole day in the accounting zone")
    at = models.DateTimeField(help_text="when it is; of a whole day, when it begins")
    summary = models.CharField(max_length=300)
    description = models.TextField(blank=True)
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)
    content_hash = models.CharField(max_length=64)
    text = models.TextField(help_text="the event in iCalendar's lines")

    class Meta:
        ordering = ("at", "uid")
        indexes = [models.Index(fields=["owner", "at"], name="calendar_entry_of_owner")]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=_KINDS), name="calendar_entry_kind_is_known"),
            models.CheckConstraint(
                condition=Q(content_hash__regex=r"^[0-9a-f]{64}$"), name="calendar_entry_hash_is_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.uid}, {self.sequence}"


class CalendarFeed(models.Model):
    """A secret address of a calendar; only its hash is kept. ``owner`` null: of everything."""

    name = models.CharField(max_length=80)
    owner = models.ForeignKey("reservations.Owner", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    prefix = models.CharField(max_length=16, help_text="how the secret begins, to tell feeds apart")
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey("reservations.User", on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True, help_text="to about ten minutes")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-id")
        indexes = [models.Index(fields=["made_by"], condition=Q(revoked_at__isnull=True), name="calendar_feed_live")]
        constraints = [
            models.CheckConstraint(
                condition=Q(("secret_hash__regex", r"^[0-9a-f]{64}$")), name="calendar_feed_hash_is_one"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True) | Q(revoked_at__gte=F("made_at")),
                name="calendar_feed_revoked_after",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}…"
