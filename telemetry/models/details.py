"""What stands behind one ledger hour: the nodes that gave it and the pods that held it."""

from django.db import models

from telemetry.models.ledger import PoolHour, gpu_ms


class HourNode(models.Model):
    """One node in one ledger hour, in whole GPU-milliseconds; over an hour's nodes each adds up to the hour's own."""

    pool_hour = models.ForeignKey(PoolHour, on_delete=models.CASCADE, related_name="nodes", db_index=False)
    node = models.CharField(max_length=253)
    expected = gpu_ms()
    known = gpu_ms()
    busy = gpu_ms(null=True)
    idle_held = gpu_ms(null=True)
    idle_free = gpu_ms(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool_hour", "node"], name="one_row_per_hour_and_node")]

    def __str__(self) -> str:
        return f"{self.pool_hour_id} {self.node}"


class HeldPod(models.Model):
    """A pod that held GPUs of a pool in some hour; ``uid`` is blank where nobody told it."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+", db_index=False)
    namespace = models.CharField(max_length=253, blank=True)
    name = models.CharField(max_length=253)
    uid = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "namespace", "name", "uid"], name="one_row_per_pod")]
        indexes = [models.Index(fields=["name"], name="held_pod_by_prefix", opclasses=["varchar_pattern_ops"])]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


class HourPod(models.Model):
    """What one pod held in one ledger hour, in one cluster queue (blank: outside any, or nobody can say).

    ``pool`` and ``hour`` repeat those of the ledger hour: they are what pods are looked up by. ``idle_from``
    is the instant in the hour since which none of its GPUs was busy; null without device time.
    """

    pool_hour = models.ForeignKey(PoolHour, on_delete=models.CASCADE, related_name="pods", db_index=False)
    pod = models.ForeignKey(HeldPod, on_delete=models.CASCADE, related_name="hours", db_index=False)
    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+", db_index=False)
    hour = models.DateTimeField()
    cluster_queue = models.CharField(max_length=253, blank=True)
    team = models.CharField(max_length=80, blank=True, help_text="the queue's owner at that time; blank unknown")
    owner_busy = gpu_ms(null=True)
    borrower_busy = gpu_ms(null=True)
    unmanaged_busy = gpu_ms(null=True)
    unattributed_busy = gpu_ms(null=True)
    idle_held = gpu_ms(null=True)
    allocated = gpu_ms(null=True)
    idle_from = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool_hour", "pod", "cluster_queue"], name="one_row_per_hour_pod_and_queue")
        ]
        indexes = [
            models.Index(fields=["pod", "-hour"], name="hour_pod_latest"),
            models.Index(
                fields=["pool", "hour"],
                name="hour_pod_held_idle",
                include=["pod", "idle_held"],
                condition=models.Q(idle_held__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_hour_id} {self.pod_id}"


class HourSuspect(models.Model):
    """A device whose values in one ledger hour are not to be believed, and why."""

    class What(models.TextChoices):
        SILENT = "silent", "no activity while it worked"
        FROZEN = "frozen", "one value for a long time"

    pool_hour = models.ForeignKey(PoolHour, on_delete=models.CASCADE, related_name="suspects", db_index=False)
    node = models.CharField(max_length=253, blank=True)
    uuid = models.CharField(max_length=300)
    what = models.CharField(max_length=16, choices=What.choices)
    why = models.TextField(help_text="one sentence")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool_hour", "uuid", "what"], name="one_row_per_hour_device_and_doubt"),
            models.CheckConstraint(
                condition=models.Q(what__in=["silent", "frozen"]), name="hour_suspect_what_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_hour_id} {self.uuid}: {self.what}"
