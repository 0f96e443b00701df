from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models


def gpu_ms(**options: bool | int) -> models.BigIntegerField:
    """A column of whole GPU-milliseconds."""
    return models.BigIntegerField(**options)


class PoolHour(models.Model):
    """The ledger: one pool in one UTC hour ``[hour, hour + 1 h)``, in whole GPU-milliseconds; null is unknown."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.PROTECT, related_name="+", db_index=False)
    hour = models.DateTimeField()
    source = models.CharField(max_length=80, blank=True)
    reserved = gpu_ms()
    paid = gpu_ms()
    ec2_unused = gpu_ms(null=True)
    expected = gpu_ms(null=True)
    not_joined = gpu_ms(null=True)
    not_observed = gpu_ms(null=True)
    known = gpu_ms(null=True)
    unknown = gpu_ms(null=True)
    busy = gpu_ms(null=True)
    sm = gpu_ms(null=True)
    idle = gpu_ms(null=True)
    idle_held = gpu_ms(null=True)
    idle_free = gpu_ms(null=True)
    allocated = gpu_ms(null=True)
    owner_busy = gpu_ms(null=True)
    borrower_busy = gpu_ms(null=True)
    unmanaged_busy = gpu_ms(null=True)
    unattributed_busy = gpu_ms(null=True)
    flags = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    notes = models.JSONField(default=dict, blank=True, help_text="flag → one sentence")
    complete = models.BooleanField(default=True, help_text="nothing was partial or warned about")
    final = models.BooleanField(default=False)
    read_at = models.DateTimeField(help_text="when the inputs began to be read")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "hour"], name="one_row_per_pool_and_hour")]
        indexes = [
            BrinIndex(fields=["hour"], name="pool_hour_brin"),
            # The hours of many pools' month, which their curve is drawn from, are read from the index alone.
            models.Index(fields=["pool", "hour"], include=["busy", "reserved"], name="pool_hour_use"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.hour}"


class PoolHourQueue(models.Model):
    """Who used one ledger hour: one row per cluster queue; blank for pods outside any queue."""

    pool_hour = models.ForeignKey(PoolHour, on_delete=models.CASCADE, related_name="queues")
    cluster_queue = models.CharField(max_length=253, blank=True)
    team = models.CharField(max_length=80, blank=True, help_text="the queue's owner at that time; blank unknown")
    workload = models.CharField(max_length=16, blank=True)
    allocated = gpu_ms(null=True)
    owner_busy = gpu_ms(null=True)
    borrower_busy = gpu_ms(null=True)
    unmanaged_busy = gpu_ms(null=True)
    unattributed_busy = gpu_ms(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool_hour", "cluster_queue"], name="one_row_per_hour_and_queue")
        ]

    def __str__(self) -> str:
        return f"{self.pool_hour_id} {self.cluster_queue}"


class DemandHour(models.Model):
    """Nodes one workload of a pool needed in one hour: the time-weighted mean, before rounding, and the peak."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+")
    hour = models.DateTimeField()
    workload = models.CharField(max_length=16)
    nodes = models.DecimalField(max_digits=12, decimal_places=4)
    peak_nodes = models.DecimalField(max_digits=12, decimal_places=4, null=True)
    source = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "hour", "workload"], name="one_demand_per_hour_and_workload"),
            models.CheckConstraint(condition=models.Q(nodes__gte=0), name="demand_is_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.hour} {self.workload}"
