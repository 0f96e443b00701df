from django.contrib.postgres.fields import DateRangeField
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from reservations.domain.commitment import AppliesTo, CommitmentKind, Payment


class Commitment(models.Model):
    """A contract that lowers a price over the UTC days of ``term``, half-open; it holds no machine."""

    account = models.ForeignKey("reservations.Account", on_delete=models.PROTECT, related_name="commitments")
    provider_id = models.CharField(max_length=256, help_text="the provider's id or ARN")
    kind = models.CharField(max_length=32, choices=[(one.value, one.value) for one in CommitmentKind])
    hourly = models.DecimalField(max_digits=16, decimal_places=6, help_text="committed per hour, whatever runs")
    currency = models.CharField(max_length=3)
    term = DateRangeField()
    applies_to = models.CharField(max_length=16, choices=[(one.value, one.value) for one in AppliesTo])
    family = models.CharField(max_length=64, blank=True, help_text="as p5: with a family alone")
    region = models.CharField(max_length=32, blank=True, help_text="blank: any region")
    shape = models.CharField(max_length=64, blank=True, help_text="as p5.48xlarge: with a shape alone")
    payment = models.CharField(max_length=16, choices=[(one.value, one.value) for one in Payment])
    source = models.CharField(max_length=200, blank=True)
    entered_by = models.CharField(max_length=150, blank=True)
    history = HistoricalRecords()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "provider_id"], name="commitment_entered_once"),
            models.CheckConstraint(condition=Q(hourly__gte=0), name="commitment_is_not_below_0"),
            models.CheckConstraint(
                condition=Q(term__isempty=False, term__lower_inf=False, term__upper_inf=False),
                name="commitment_begins_and_ends",
            ),
            models.CheckConstraint(
                condition=Q(applies_to="any_compute", family="", shape="")
                | Q(applies_to="family", shape="") & ~Q(family="") & ~Q(region="")
                | Q(applies_to="shape", family="") & ~Q(shape=""),
                name="commitment_says_what_it_lowers",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=[one.value for one in CommitmentKind]), name="commitment_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(applies_to__in=[one.value for one in AppliesTo]), name="commitment_reach_is_known"
            ),
            models.CheckConstraint(
                condition=Q(payment__in=[one.value for one in Payment]), name="commitment_payment_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider_id} ({self.account})"


class CommitmentReport(models.Model):
    """One UTC day of one measure, as Cost Explorer told it; null is unknown.

    Utilisation is of one savings plan, or, without ``commitment``, of all reserved instances of the account; coverage
    is of the account. Which columns a measure fills: docs/prices.md.
    """

    class Family(models.TextChoices):
        SAVINGS_PLANS = "savings_plans"
        RESERVED_INSTANCES = "reserved_instances"

    class Measure(models.TextChoices):
        UTILISATION = "utilisation"
        COVERAGE = "coverage"

    account = models.ForeignKey("reservations.Account", on_delete=models.CASCADE, related_name="commitment_reports")
    commitment = models.ForeignKey(
        "reservations.Commitment", null=True, blank=True, on_delete=models.CASCADE, related_name="reports"
    )
    family = models.CharField(max_length=24, choices=Family.choices)
    measure = models.CharField(max_length=16, choices=Measure.choices)
    day = models.DateField()
    currency = models.CharField(max_length=3)
    cost = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    used = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    unused = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    on_demand_equivalent = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    hours = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    covered = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    coverable = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    on_demand = models.DecimalField(max_digits=20, decimal_places=6, null=True, blank=True)
    fetched_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["commitment", "measure", "day"],
                condition=Q(commitment__isnull=False),
                name="commitment_reported_once_a_day",
            ),
            models.UniqueConstraint(
                fields=["account", "family", "measure", "day"],
                condition=Q(commitment__isnull=True),
                name="account_reported_once_a_day",
            ),
            models.CheckConstraint(
                condition=Q(family__in=["savings_plans", "reserved_instances"]), name="commitment_family_is_known"
            ),
            models.CheckConstraint(
                condition=Q(measure__in=["utilisation", "coverage"]), name="commitment_measure_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account}, {self.family} {self.measure}: {self.day}"


class CommitmentFetch(models.Model):
    """One time Cost Explorer was asked about an account's commitments; ``failures`` maps a call to one sentence."""

    account = models.ForeignKey("reservations.Account", on_delete=models.CASCADE, related_name="commitment_fetches")
    fetched_at = models.DateTimeField()
    period = DateRangeField()
    requests = models.PositiveIntegerField(help_text="each may cost money")
    failures = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "fetched_at"], name="commitments_fetched_once_at")]

    def __str__(self) -> str:
        return f"{self.account}: {self.fetched_at:%Y-%m-%d %H:%M}"
