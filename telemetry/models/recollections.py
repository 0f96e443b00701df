from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q, Value

from telemetry.domain.recollection import LIVE, RecollectionState

_LIVE = [state.value for state in LIVE]
_ENDED = [state.value for state in RecollectionState if state not in LIVE]


class Recollection(models.Model):
    """Somebody's request to compute a range of one pool's hours once more, and how far it came."""

    class State(models.TextChoices):
        QUEUED = RecollectionState.QUEUED.value
        RUNNING = RecollectionState.RUNNING.value
        DONE = RecollectionState.DONE.value
        FAILED = RecollectionState.FAILED.value
        CANCELLED = RecollectionState.CANCELLED.value

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+")
    period = DateTimeRangeField(help_text="whole UTC hours, half-open")
    force = models.BooleanField(default=False, help_text="replaces final hours and other sources' hours too")
    asked_key = models.CharField(max_length=40, unique=True, help_text="one click, however often it is sent")
    asked_by = models.ForeignKey("reservations.User", null=True, on_delete=models.SET_NULL, related_name="+")
    asked_by_name = models.CharField(max_length=150, help_text="the log-in at that time")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    total_hours = models.PositiveIntegerField()
    done_hours = models.PositiveIntegerField(default=0)
    stored = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0, help_text="workers that began since it last got further")
    problems = models.JSONField(default=list, blank=True, help_text="status, why, from, to of the hours not stored")
    message = models.TextField(blank=True, help_text="one sentence on how it ended")
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancelled_by_name = models.CharField(max_length=150, blank=True)

    class Meta:
        indexes = [models.Index(fields=["pool", "-asked_at"], name="recollection_latest")]
        constraints = [
            ExclusionConstraint(
                name="one_live_recollection_of_an_hour",
                expressions=[
                    (Func(F("pool_id"), F("pool_id"), Value("[]"), function="int8range"), RangeOperators.OVERLAPS),
                    ("period", RangeOperators.OVERLAPS),
                ],
                condition=Q(state__in=_LIVE),
            ),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in RecollectionState]),
                name="recollection_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=_ENDED, finished_at__isnull=False) | Q(state__in=_LIVE, finished_at__isnull=True),
                name="recollection_ends_once",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["running", "done"]) | Q(started_at__isnull=False),
                name="recollection_starts_before_it_runs",
            ),
            models.CheckConstraint(
                condition=Q(done_hours__lte=F("total_hours")) & (~Q(state="done") | Q(done_hours=F("total_hours"))),
                name="recollection_hours_add_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.period}: {self.state}"
