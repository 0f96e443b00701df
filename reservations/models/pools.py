from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models


class Account(models.Model):
    """One cloud account that is asked for its reservations."""

    name = models.CharField(max_length=80, unique=True)
    provider = models.CharField(max_length=16, default="aws")
    account_id = models.CharField(max_length=32)
    regions = ArrayField(models.CharField(max_length=32))
    role_arn = models.CharField(max_length=256, blank=True)
    external_id = models.CharField(max_length=256, blank=True)
    endpoint_url = models.CharField(max_length=256, blank=True)
    cost_explorer = models.BooleanField(
        default=False, help_text="may be asked about commitments: each request costs money"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "account_id"], name="account_configured_once")]

    def __str__(self) -> str:
        return self.name


class Pool(models.Model):
    """Nodes of one instance type, and the reservations that stand behind them."""

    name = models.CharField(max_length=80, unique=True)
    owner = models.ForeignKey("reservations.Owner", on_delete=models.PROTECT, related_name="pools")
    instance_type = models.CharField(max_length=64)
    gpus_per_node = models.DecimalField(max_digits=8, decimal_places=4, validators=[MinValueValidator(0)])
    data_zone_id = models.CharField(max_length=32, blank=True)
    cohort = models.CharField(max_length=120, blank=True)
    flavor = models.CharField(max_length=120, blank=True)
    spare_nodes = models.PositiveIntegerField(default=0)
    gpu_generation = models.CharField(max_length=40, blank=True)
    useful_until = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.CheckConstraint(condition=models.Q(gpus_per_node__gt=0), name="pool_has_gpus")]

    def __str__(self) -> str:
        return self.name


class PoolReservationRule(models.Model):
    """Which reservations back a pool: one id or ARN, or a tag with its value."""

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="reservation_rules")
    tag_key = models.CharField(max_length=128, blank=True, help_text="blank: the value is an id or an ARN")
    value = models.CharField(max_length=256)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "tag_key", "value"], name="reservation_rule_said_once")]

    def __str__(self) -> str:
        return f"{self.tag_key}={self.value}" if self.tag_key else self.value


class Workload(models.TextChoices):
    SERVING = "serving"
    TRAINING = "training"
    BATCH = "batch"


class Queue(models.Model):
    """A Kueue ClusterQueue that runs on a pool, and the team behind it."""

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="queues")
    cluster_queue = models.CharField(max_length=253)
    owner = models.ForeignKey("reservations.Owner", on_delete=models.PROTECT, related_name="queues")
    workload = models.CharField(max_length=16, choices=Workload.choices)
    nominal_share = models.DecimalField(max_digits=6, decimal_places=5, null=True, blank=True)
    lending_limit = models.PositiveIntegerField(null=True, blank=True)
    namespaces = ArrayField(models.CharField(max_length=63), default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "cluster_queue"], name="queue_named_once_in_a_pool"),
            models.CheckConstraint(condition=models.Q(workload__in=Workload.values), name="queue_workload_is_known"),
        ]

    def __str__(self) -> str:
        return self.cluster_queue
