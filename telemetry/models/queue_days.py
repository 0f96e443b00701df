from django.db import models

from telemetry.models.ledger import gpu_ms


class PoolDayQueue(models.Model):
    """Who used one pool on one UTC day: its hours' queue rows added up; null is unknown in every one of them.

    Derived: written with the hours in one transaction and never by itself.
    """

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    cluster_queue = models.CharField(max_length=253, blank=True)
    team = models.CharField(max_length=80, blank=True)
    workload = models.CharField(max_length=16, blank=True)
    allocated = gpu_ms(null=True)
    owner_busy = gpu_ms(null=True)
    borrower_busy = gpu_ms(null=True)
    unmanaged_busy = gpu_ms(null=True)
    unattributed_busy = gpu_ms(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "day", "cluster_queue", "team", "workload"], name="one_row_per_pool_day_and_queue"
            )
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.day} {self.cluster_queue}"
