"""What work asked for in a ledger hour beyond what it held (docs/demand.md#what-waited)."""

from django.db import models

from telemetry.models.ledger import PoolHour, gpu_ms


class HourAsked(models.Model):
    """The most GPUs that a pool's work held and waited for at once in one ledger hour; null unknown."""

    pool_hour = models.OneToOneField(PoolHour, on_delete=models.CASCADE, primary_key=True, related_name="asked")
    peak_gpus = models.DecimalField(max_digits=14, decimal_places=4, null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(peak_gpus__gte=0), name="hour_asked_is_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_hour_id} {self.peak_gpus}"


class HourQueued(models.Model):
    """What one cluster queue's work waited for in one ledger hour, in whole GPU-milliseconds; null unknown."""

    pool_hour = models.ForeignKey(PoolHour, on_delete=models.CASCADE, related_name="queued", db_index=False)
    cluster_queue = models.CharField(max_length=253)
    team = models.CharField(max_length=80, blank=True, help_text="the queue's owner at that time; blank unknown")
    workload = models.CharField(max_length=16, blank=True)
    queued = gpu_ms(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool_hour", "cluster_queue"], name="one_queued_per_hour_and_queue"),
            models.CheckConstraint(condition=models.Q(queued__gte=0), name="hour_queued_is_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_hour_id} {self.cluster_queue}"
