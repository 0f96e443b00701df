from django.db import models

from reservations.domain.instance_history import Lifecycle


class InstanceSpan(models.Model):
    """A running instance that all listings of its shape showed alike from one instant to another, both included.

    Only shapes that a reservation or a pool holds are listed; blank is unknown, a blank reservation is none.
    """

    account = models.ForeignKey("reservations.Account", on_delete=models.CASCADE, related_name="instance_spans")
    region = models.CharField(max_length=32)
    instance_id = models.CharField(max_length=32)
    shape = models.CharField(max_length=64)
    seen_from = models.DateTimeField()
    seen_until = models.DateTimeField()
    zone_id = models.CharField(max_length=32, blank=True)
    platform = models.CharField(max_length=64, blank=True)
    tenancy = models.CharField(max_length=16, blank=True)
    lifecycle = models.CharField(max_length=16, choices=[(word.value, word.value) for word in Lifecycle])
    reservation_id = models.CharField(max_length=128, blank=True, help_text="the reservation it runs in; blank: none")
    preference = models.CharField(max_length=32, blank=True)
    target = models.CharField(max_length=256, blank=True, help_text="the reservation or group it names")
    launched_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "region", "instance_id", "shape", "seen_from"], name="instance_seen_once_from"
            ),
            models.CheckConstraint(
                condition=models.Q(seen_until__gte=models.F("seen_from")), name="instance_seen_forward"
            ),
            models.CheckConstraint(
                condition=models.Q(lifecycle__in=[word.value for word in Lifecycle]), name="lifecycle_is_known"
            ),
        ]
        indexes = [
            models.Index(fields=["account", "region", "seen_until"], name="instance_span_newest"),
            models.Index(fields=["region", "shape", "seen_until"], name="instance_span_by_shape"),
        ]

    def __str__(self) -> str:
        return f"{self.instance_id} {self.seen_from} … {self.seen_until}"
