from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateRangeField, RangeOperators
from django.db import models
from simple_history.models import HistoricalRecords

from reservations.models.inventory import single_id_range


class PriceSubject(models.Model):
    """What a price is for: one pool or one shape."""

    pool = models.OneToOneField("reservations.Pool", null=True, blank=True, on_delete=models.CASCADE)
    shape = models.CharField(max_length=64, null=True, blank=True, unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(pool__isnull=False, shape__isnull=True)
                | models.Q(pool__isnull=True, shape__isnull=False),
                name="price_subject_is_a_pool_or_a_shape",
            )
        ]

    def __str__(self) -> str:
        return self.shape or str(self.pool)


class PriceUnit(models.TextChoices):
    NODE_HOUR = "node-hour"
    GPU_HOUR = "gpu-hour"


class PriceQuote(models.Model):
    """What one subject cost from one day to another; days are UTC, ``period`` is half-open."""

    subject = models.ForeignKey(PriceSubject, on_delete=models.CASCADE, related_name="quotes")
    period = DateRangeField()
    on_demand = models.DecimalField(max_digits=16, decimal_places=6, null=True, blank=True)
    reserved = models.DecimalField(max_digits=16, decimal_places=6, null=True, blank=True)
    spot = models.DecimalField(max_digits=16, decimal_places=6, null=True, blank=True)
    flex = models.DecimalField(max_digits=16, decimal_places=6, null=True, blank=True)
    currency = models.CharField(max_length=3)
    unit = models.CharField(max_length=16, choices=PriceUnit.choices)
    source = models.CharField(max_length=200, blank=True)
    entered_by = models.CharField(max_length=150, blank=True)
    history = HistoricalRecords()

    class Meta:
        constraints = [
            ExclusionConstraint(
                name="one_price_at_a_time",
                expressions=[
                    (single_id_range("subject_id"), RangeOperators.OVERLAPS),
                    ("period", RangeOperators.OVERLAPS),
                ],
            ),
            models.CheckConstraint(condition=models.Q(unit__in=PriceUnit.values), name="price_unit_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.period}"


class ProcurementRule(models.Model):
    """A version of the procurement rule as it was written; drafts bind nobody, and published ones never change."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"

    version = models.PositiveIntegerField(unique=True)
    owner = models.ForeignKey("reservations.Owner", on_delete=models.PROTECT)
    document = models.JSONField()
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DRAFT)
    note = models.CharField(max_length=500, blank=True, help_text="what changed and why")
    effective_from = models.DateField(null=True, blank=True, help_text="blank: from its publication on")
    effective_to = models.DateField(null=True, blank=True, help_text="the first day it no longer holds; blank: open")
    author = models.ForeignKey(
        "reservations.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+", editable=False
    )
    author_name = models.CharField(max_length=150, blank=True, editable=False, help_text="blank: a configuration file")
    writers = ArrayField(models.BigIntegerField(), default=list, blank=True, editable=False)
    drafted_at = models.DateTimeField(null=True, blank=True, editable=False)
    published_by = models.ForeignKey(
        "reservations.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+", editable=False
    )
    published_by_name = models.CharField(max_length=150, blank=True, editable=False)
    published_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["draft", "published"]), name="procurement_rule_status_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(published_by__isnull=True)
                | models.Q(author__isnull=True)
                | ~models.Q(published_by=models.F("author")),
                name="procurement_rule_published_by_another",
            ),
            models.CheckConstraint(
                condition=models.Q(effective_to__isnull=True)
                | models.Q(effective_from__isnull=True)
                | models.Q(effective_to__gt=models.F("effective_from")),
                name="procurement_rule_effective_forward",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version}"
