from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Value
from simple_history.models import HistoricalRecords

from reservations.domain.reservation_state import Kind, State
from reservations.domain.size_history import DatedBy

#: What only a provider tells: no person sets it, so the history of what people did leaves it out.
TOLD = (
    "arn",
    "seen_by",
    "first_listed_by",
    "owner_account",
    "planned_count",
    "available_count",
    "commitment_end_at",
    "parent_id",
    "unused_billing_account",
    "tags",
    "usage_by_account",
    "raw",
    "first_seen_at",
    "last_seen_at",
    "missing_since",
)


def single_id_range(field: str) -> Func:
    """``[id, id]`` as a range: an exclusion on equality that needs no btree_gist."""
    return Func(F(field), F(field), Value("[]"), function="int8range")


class Reservation(models.Model):
    """A promise of machines, whoever the provider is; null is unknown, never zero."""

    provider = models.CharField(max_length=16, default="aws")
    arn = models.CharField(max_length=256, unique=True)
    external_id = models.CharField(max_length=128, db_index=True)
    owner_account = models.CharField(max_length=32, blank=True)
    seen_by = ArrayField(
        models.CharField(max_length=32), default=list, blank=True, help_text="account ids that listed it"
    )
    first_listed_by = models.JSONField(
        default=dict, blank=True, help_text="account id → the first instant it listed it, ISO 8601"
    )
    region = models.CharField(max_length=32, blank=True)
    zone_id = models.CharField(max_length=32, blank=True)
    zone_name = models.CharField(max_length=32, blank=True)
    kind = models.CharField(max_length=24, choices=[(kind.value, kind.value) for kind in Kind])
    shape = models.CharField(max_length=64, blank=True)
    platform = models.CharField(max_length=64, blank=True)
    tenancy = models.CharField(max_length=16, blank=True)
    gpus_per_instance = models.DecimalField(max_digits=8, decimal_places=4, null=True, blank=True)
    total_count = models.PositiveIntegerField(null=True, blank=True)
    planned_count = models.PositiveIntegerField(null=True, blank=True)
    available_count = models.PositiveIntegerField(null=True, blank=True)
    state_raw = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=16, choices=[(state.value, state.value) for state in State])
    start_at = models.DateTimeField(null=True, blank=True)
    end_at = models.DateTimeField(null=True, blank=True)
    usable_until = models.DateTimeField(null=True, blank=True)
    ends_terminate_instances = models.BooleanField(default=False)
    matching = models.CharField(max_length=16, blank=True)
    commitment_end_at = models.DateTimeField(null=True, blank=True)
    parent_id = models.CharField(max_length=128, blank=True, help_text="block, or source of an interruptible one")
    unused_billing_account = models.CharField(max_length=32, blank=True)
    upfront_fee = models.DecimalField(max_digits=16, decimal_places=4, null=True, blank=True)
    upfront_fee_currency = models.CharField(max_length=3, blank=True)
    tags = models.JSONField(default=dict, blank=True)
    usage_by_account = models.JSONField(null=True, blank=True, help_text="instances used per account; null unknown")
    raw = models.JSONField(default=dict, blank=True, help_text="the provider's own fields as last seen")
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    missing_since = models.DateTimeField(null=True, blank=True)
    owner = models.ForeignKey(
        "reservations.Owner",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reservations",
        help_text="the team that answers for it; blank: its pool's owner does",
    )
    entered_sizes = models.JSONField(
        default=list, blank=True, help_text="of one entered by hand: [from as ISO 8601, instances] in time order"
    )
    # Sweeps write in bulk, which leaves no history: it holds what people did, and nothing else.
    history = HistoricalRecords(excluded_fields=TOLD)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=[state.value for state in State]),
                name="reservation_state_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=[kind.value for kind in Kind]), name="reservation_kind_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.external_id


NONE_FREE = (
    models.Q(present=False)
    | ~models.Q(state_raw="active")
    | models.Q(available_count__isnull=True)
    | models.Q(available_count=0)
)
"""An observation that shows no free slot, or shows nothing of them."""


class ReservationObservation(models.Model):
    """What one complete sweep saw of one reservation at one instant; ``present`` False: no longer listed."""

    reservation = models.ForeignKey(Reservation, on_delete=models.CASCADE, related_name="observations")
    observed_at = models.DateTimeField()
    present = models.BooleanField(default=True)
    state_raw = models.CharField(max_length=64, blank=True)
    total_count = models.PositiveIntegerField(null=True, blank=True)
    available_count = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["reservation", "observed_at"], name="observed_once_an_instant")]
        indexes = [
            # What ends a run of free slots, so that the start of a long one is found in one step.
            models.Index(fields=["reservation", "-observed_at"], name="observed_none_free", condition=NONE_FREE)
        ]

    def __str__(self) -> str:
        return f"{self.reservation_id} at {self.observed_at}"


class ReservationSize(models.Model):
    """How many instances a reservation promised from one instant to another; ``period`` is half-open.

    Derived from the observations, so that the order in which they came does not matter.
    """

    reservation = models.ForeignKey(Reservation, on_delete=models.CASCADE, related_name="sizes")
    period = DateTimeRangeField()
    instances = models.PositiveIntegerField()
    usable = models.BooleanField(default=True, help_text="False: still billed, capacity already gone")
    dated_by = models.CharField(max_length=16, choices=[(word.value, word.value) for word in DatedBy])

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(dated_by__in=[word.value for word in DatedBy]), name="size_is_dated_by_a_known_word"
            ),
            ExclusionConstraint(
                name="one_size_at_a_time",
                expressions=[
                    (single_id_range("reservation_id"), RangeOperators.OVERLAPS),
                    ("period", RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reservation_id}: {self.instances} in {self.period}"


class PoolMembership(models.Model):
    """During which time a reservation backed a pool; it backs at most one at a time."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="memberships")
    reservation = models.ForeignKey(Reservation, on_delete=models.CASCADE, related_name="memberships")
    period = DateTimeRangeField()
    history = HistoricalRecords()

    class Meta:
        constraints = [
            ExclusionConstraint(
                name="one_pool_at_a_time",
                expressions=[
                    (single_id_range("reservation_id"), RangeOperators.OVERLAPS),
                    ("period", RangeOperators.OVERLAPS),
                ],
            )
        ]

    def __str__(self) -> str:
        return f"{self.reservation_id} backs {self.pool_id} in {self.period}"


class ReservationNote(models.Model):
    """What somebody wrote down about a reservation; it is never changed afterwards."""

    reservation = models.ForeignKey(Reservation, on_delete=models.CASCADE, related_name="notes")
    written_by = models.ForeignKey("reservations.User", null=True, on_delete=models.SET_NULL, related_name="+")
    written_at = models.DateTimeField()
    text = models.TextField(max_length=2000)

    class Meta:
        ordering = ["-written_at", "-id"]

    def __str__(self) -> str:
        return f"{self.reservation_id} at {self.written_at}"


class SyncRun(models.Model):
    """One try to list one account's region; what failed stays here with the provider's own code."""

    account = models.ForeignKey("reservations.Account", on_delete=models.CASCADE, related_name="sync_runs")
    region = models.CharField(max_length=32)
    as_of = models.DateTimeField(help_text="the instant it observed")
    finished_at = models.DateTimeField()
    complete = models.BooleanField(help_text="the full list was read; only then is it a sweep")
    reservations_seen = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=80, blank=True)
    error = models.TextField(blank=True, help_text="one sentence")
    degraded = models.JSONField(default=dict, blank=True, help_text="optional calls that failed: action → sentence")
    instance_shapes = ArrayField(
        models.CharField(max_length=64), null=True, blank=True, help_text="whose running instances were listed too"
    )

    class Meta:
        indexes = [models.Index(fields=["account", "region", "complete", "-as_of"], name="sync_run_latest")]
        constraints = [models.UniqueConstraint(fields=["account", "region", "as_of"], name="listed_once_an_instant")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.region} {self.as_of}"
