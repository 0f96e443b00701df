from django.contrib.postgres.fields import ArrayField
from django.db import models


class MetricsSource(models.Model):
    """One metrics engine and what its series are called."""

    class Kind(models.TextChoices):
        PROMETHEUS = "prometheus"
        SYNTHETIC = "synthetic"

    name = models.CharField(max_length=80, unique=True)
    kind = models.CharField(max_length=16, choices=Kind.choices, default=Kind.PROMETHEUS)
    url = models.CharField(max_length=256, blank=True)
    cluster = models.CharField(max_length=80, blank=True)
    scrape_interval_seconds = models.PositiveIntegerField(default=30)
    busy_metric = models.CharField(max_length=120, default="DCGM_FI_PROF_SM_ACTIVE")
    busy_metric_scale = models.DecimalField(max_digits=12, decimal_places=6, default=1)
    busy_threshold = models.DecimalField(max_digits=6, decimal_places=5, default="0.05")
    node_label = models.CharField(max_length=120, default="Hostname")
    names = models.JSONField(default=dict, blank=True, help_text="further metric and label names, where they differ")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["prometheus", "synthetic"]), name="metrics_source_kind_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(scrape_interval_seconds__gte=1), name="scrape_interval_is_a_second_or_more"
            ),
            models.CheckConstraint(condition=models.Q(busy_metric_scale__gt=0), name="busy_metric_scale_is_above_zero"),
            models.CheckConstraint(
                condition=models.Q(busy_threshold__gte=0, busy_threshold__lte=1), name="busy_threshold_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PoolSource(models.Model):
    """Where a pool's telemetry comes from and which node label marks its nodes."""

    pool = models.OneToOneField("reservations.Pool", on_delete=models.CASCADE, related_name="+")
    source = models.ForeignKey(MetricsSource, null=True, on_delete=models.PROTECT, related_name="pools")
    node_label = models.CharField(max_length=200, blank=True)
    node_values = ArrayField(models.CharField(max_length=253), default=list, blank=True)

    def __str__(self) -> str:
        return f"{self.pool_id} from {self.source_id}"


class CollectionRun(models.Model):
    """One try to compute one hour of one pool, and how it ended."""

    class Status(models.TextChoices):
        STORED = "stored"
        UNCHANGED = "unchanged"
        REFUSED = "refused"
        FAILED = "failed"

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=80, blank=True)
    hour = models.DateTimeField()
    read_at = models.DateTimeField(help_text="when the inputs began to be read")
    status = models.CharField(max_length=16, choices=Status.choices)
    message = models.TextField(blank=True, help_text="one sentence")
    took_ms = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["pool", "-read_at"], name="collection_run_latest"),
            models.Index(fields=["source", "-read_at"], name="collection_run_by_source"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["stored", "unchanged", "refused", "failed"]),
                name="collection_run_status_is_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.hour}: {self.status}"
