from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q
from simple_history.models import HistoricalRecords

from reservations.models.inventory import single_id_range


class LaunchReport(models.Model):
    """Launches of a pool or a shape in a zone on a UTC day, and those that failed with InsufficientInstanceCapacity."""

    subject = models.ForeignKey("reservations.PriceSubject", on_delete=models.CASCADE, related_name="launches")
    zone_id = models.CharField(max_length=32, blank=True, help_text="blank: not said")
    day = models.DateField()
    attempts = models.PositiveIntegerField()
    failures = models.PositiveIntegerField()
    source = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subject", "day", "zone_id"], name="launches_reported_once_a_day"),
            models.CheckConstraint(condition=Q(failures__lte=F("attempts")), name="failures_are_attempts"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.day}"


class ShortageRecord(models.Model):
    """q and L of one subject from one day to another; days are UTC, ``period`` is half-open.

    Where q was estimated, the launches it comes from are kept as they were counted then.
    """

    class Convention(models.TextChoices):
        EXTRA = "extra"
        INSTEAD = "instead"

    subject = models.ForeignKey("reservations.PriceSubject", on_delete=models.CASCADE, related_name="shortages")
    period = DateRangeField()
    fail_probability = models.DecimalField(max_digits=7, decimal_places=6, help_text="q: 0 to 1")
    shortage_cost = models.DecimalField(max_digits=16, decimal_places=6, help_text="L: per node-hour")
    currency = models.CharField(max_length=3)
    convention = models.CharField(
        max_length=16,
        choices=Convention.choices,
        help_text="extra: L on top of paying on demand later; instead: L in place of it",
    )
    attempts = models.PositiveIntegerField(null=True, blank=True, help_text="the launches q is estimated from")
    failures = models.PositiveIntegerField(null=True, blank=True)
    counted = DateRangeField(null=True, blank=True, help_text="the days those launches are of")
    source = models.CharField(max_length=200, blank=True)
    entered_by = models.CharField(max_length=150, blank=True)
    recorded_on = models.DateField()
    history = HistoricalRecords()

    class Meta:
        constraints = [
            ExclusionConstraint(
                name="one_shortage_at_a_time",
                expressions=[
                    (single_id_range("subject_id"), RangeOperators.OVERLAPS),
                    ("period", RangeOperators.OVERLAPS),
                ],
            ),
            models.CheckConstraint(
                condition=Q(fail_probability__gte=0, fail_probability__lte=1), name="fail_probability_is_a_share"
            ),
            models.CheckConstraint(condition=Q(shortage_cost__gte=0), name="shortage_cost_is_not_below_0"),
            models.CheckConstraint(
                condition=Q(convention__in=["extra", "instead"]), name="shortage_convention_is_known"
            ),
            models.CheckConstraint(
                condition=Q(attempts__isnull=True, failures__isnull=True, counted__isnull=True)
                | Q(attempts__gt=0, failures__isnull=False, failures__lte=F("attempts"), counted__isnull=False),
                name="estimated_from_launches_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.period}"
