from django.db import models

from telemetry.domain.totals import USE_SUMS
from telemetry.models.ledger import gpu_ms


class PoolDay(models.Model):
    """The ledger's hours of one pool on one UTC day, added up (``telemetry.domain.totals.Totals``); null is unknown.

    Derived: written with the hours in one transaction and never by itself.
    """

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    hours = models.PositiveSmallIntegerField()
    reserved = gpu_ms(null=True)
    paid = gpu_ms(null=True)
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
    launched = gpu_ms(null=True)
    busy_high = gpu_ms(null=True)
    busy_reserved = gpu_ms()
    busy_paid = gpu_ms()
    covered_known = gpu_ms()
    covered_expected = gpu_ms()
    allocated_counted = gpu_ms()
    allocated_expected = gpu_ms()
    allocated_reserved = gpu_ms(default=0)
    busy_hours = models.PositiveSmallIntegerField()
    open_hours = models.PositiveSmallIntegerField()
    partial_hours = models.PositiveSmallIntegerField()
    flagged_hours = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "day"], include=["busy", "busy_reserved"], name="one_row_per_pool_and_day"
            )
        ]
        indexes = [
            models.Index(fields=["day"], name="pool_day_by_day"),
            # The sums of use of many pools' months are read from the index alone: rows of the table are far wider.
            models.Index(fields=["pool", "day"], include=["hours", *USE_SUMS], name="pool_day_use"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.day}"
