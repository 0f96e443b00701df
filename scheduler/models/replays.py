from django.db import models
from django.db.models import Q

from scheduler.domain.allocation_run import LIVE, RunState

_LIVE = [state.value for state in LIVE]
_ENDED = [state.value for state in RunState if state not in LIVE]


class MonthReplay(models.Model):
    """A pool's month lived through on other sizes: who asked, how far it is, and what came of it."""

    class State(models.TextChoices):
        QUEUED = RunState.QUEUED.value
        RUNNING = RunState.RUNNING.value
        DONE = RunState.DONE.value
        FAILED = RunState.FAILED.value
        CANCELLED = RunState.CANCELLED.value

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+", db_index=False)
    month = models.DateField(help_text="its first day")
    start = models.DateTimeField(help_text="where the month began by the accounting zone of that time")
    end = models.DateTimeField()
    hours = models.PositiveIntegerField(help_text="hours of the month that had ended when it was asked for")
    nodes = models.PositiveIntegerField(help_text="nodes the pool held then: the size in the middle")
    around = models.PositiveSmallIntegerField(help_text="sizes below and above it")
    asked_by = models.ForeignKey("reservations.User", null=True, on_delete=models.SET_NULL, related_name="+")
    asked_by_name = models.CharField(max_length=150, blank=True, help_text="the log-in; blank: a command")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0, help_text="workers that began it")
    done_steps = models.PositiveIntegerField(default=0)
    total_steps = models.PositiveIntegerField(default=0, help_text="hours × sizes; 0 until they are known")
    heard_at = models.DateTimeField(null=True, blank=True, help_text="when the worker last said how far it is")
    # As a text: the database's own JSON forgets the order of keys.
    result = models.TextField(blank=True, help_text="the result as JSON; blank until there is one")
    message = models.TextField(blank=True, help_text="one sentence on how it ended")
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["pool", "month", "-asked_at"], name="month_replay_latest"),
            models.Index(fields=["asked_at"], condition=Q(state__in=_LIVE), name="month_replay_live"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "month"], condition=Q(state__in=_LIVE), name="one_live_replay_of_a_month"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in RunState]), name="month_replay_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=_ENDED, finished_at__isnull=False) | Q(state__in=_LIVE, finished_at__isnull=True),
                name="month_replay_ends_once",
            ),
            models.CheckConstraint(
                condition=Q(state="done") & ~Q(result="") | ~Q(state="done") & Q(result=""),
                name="month_replay_has_its_result_when_done",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.month:%Y-%m}: {self.state}"
