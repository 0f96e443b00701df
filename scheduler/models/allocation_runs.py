from django.db import models
from django.db.models import Q

from scheduler.domain.allocation_run import LIVE, RunState

_LIVE = [state.value for state in LIVE]
_ENDED = [state.value for state in RunState if state not in LIVE]


class AllocationRun(models.Model):
    """Somebody's question to the allocator's full mode, how far it came, and its answer."""

    class State(models.TextChoices):
        QUEUED = RunState.QUEUED.value
        RUNNING = RunState.RUNNING.value
        DONE = RunState.DONE.value
        FAILED = RunState.FAILED.value
        CANCELLED = RunState.CANCELLED.value

    # As texts: the database's own JSON forgets the order of keys and knows fewer characters.
    scenario = models.TextField(help_text="the scenario as JSON, as it was checked")
    result = models.TextField(blank=True, help_text="the result as JSON; blank until there is one")
    gpus = models.PositiveIntegerField()
    steps = models.PositiveIntegerField()
    jobs = models.PositiveIntegerField()
    seed = models.PositiveBigIntegerField(default=0)
    time_limit_seconds = models.FloatField()
    asked_by = models.ForeignKey("reservations.User", null=True, on_delete=models.SET_NULL, related_name="+")
    asked_by_name = models.CharField(max_length=150, help_text="the log-in at that time")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0, help_text="workers that began it")
    phase = models.CharField(max_length=40, blank=True, help_text="what the solver was at when last heard of")
    value = models.FloatField(null=True, blank=True, help_text="the best grid's objective so far")
    bound = models.FloatField(null=True, blank=True, help_text="what no grid can be worth more than, so far")
    heard_at = models.DateTimeField(null=True, blank=True, help_text="when the solver last said how far it is")
    message = models.TextField(blank=True, help_text="one sentence on how it ended")
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["asked_by", "-asked_at"], name="allocation_run_latest"),
            models.Index(fields=["asked_at"], condition=Q(state__in=_LIVE), name="allocation_run_live"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in RunState]), name="allocation_run_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=_ENDED, finished_at__isnull=False) | Q(state__in=_LIVE, finished_at__isnull=True),
                name="allocation_run_ends_once",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["running", "done"]) | Q(started_at__isnull=False),
                name="allocation_run_starts_before_it_runs",
            ),
            models.CheckConstraint(
                condition=Q(state="done") & ~Q(result="") | ~Q(state="done") & Q(result=""),
                name="allocation_run_has_its_result_when_done",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gpus} GPUs, {self.steps} steps, {self.jobs} jobs: {self.state}"
