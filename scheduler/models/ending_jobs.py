import uuid

from django.db import models
from django.db.models import Q

from scheduler.domain.block_clock.states import LIVE, Decision, JobState, Step, Trouble


class EndingJob(models.Model):
    """A job that has to be brought to safety before the block it runs on ends."""

    reservation = models.ForeignKey("reservations.Reservation", on_delete=models.CASCADE, related_name="+")
    job_id = models.CharField(max_length=128, help_text="as its own scheduler calls it")
    owner = models.ForeignKey("reservations.Owner", on_delete=models.PROTECT, related_name="+")
    stop_hook_url = models.CharField(max_length=500)
    stop_hook_secret = models.TextField(help_text="sealed: signs what is sent to the hook")
    checkpoint_location = models.CharField(max_length=1100, help_text="s3://bucket/prefix")
    expected_end_at = models.DateTimeField(null=True, blank=True, help_text="when it ends by itself; null unknown")
    decision = models.CharField(max_length=16, choices=[(one.value, one.value) for one in Decision])
    fallback_pool = models.ForeignKey(
        "reservations.Pool", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    fallback_shape = models.CharField(max_length=64, blank=True)
    fallback_nodes = models.PositiveIntegerField(null=True, blank=True)
    resume_tested_on = models.DateField(null=True, blank=True)
    resume_test_passed = models.BooleanField(null=True, blank=True)
    content_sha256 = models.CharField(max_length=64, help_text="of what it was registered with, the secret aside")
    registered_at = models.DateTimeField()
    registered_by_name = models.CharField(max_length=150, blank=True, help_text="the log-in; blank: a command")
    state = models.CharField(
        max_length=16, choices=[(one.value, one.value) for one in JobState], default=JobState.REGISTERED.value
    )
    trouble = models.CharField(max_length=32, blank=True, choices=[(one.value, one.value) for one in Trouble])
    reason = models.TextField(blank=True, help_text="one sentence")
    changed_at = models.DateTimeField(help_text="when it came into its state")
    leased_by = models.UUIDField(null=True, blank=True, help_text="the pass that is at it")
    leased_until = models.DateTimeField(null=True, blank=True, help_text="by the database's clock")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["reservation", "job_id"],
                condition=Q(state__in=[state.value for state in LIVE]),
                name="ending_job_registered_once",
            ),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in JobState]), name="ending_job_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state=JobState.ESCALATED.value, trouble__in=[one.value for one in Trouble])
                | ~Q(state=JobState.ESCALATED.value) & Q(trouble=""),
                name="ending_job_is_escalated_for_a_trouble",
            ),
            models.CheckConstraint(
                condition=Q(decision__in=[one.value for one in Decision]), name="ending_job_decision_is_known"
            ),
            models.CheckConstraint(
                condition=Q(resume_tested_on__isnull=True, resume_test_passed__isnull=True)
                | Q(resume_tested_on__isnull=False, resume_test_passed__isnull=False),
                name="ending_job_resume_test_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(leased_by__isnull=True, leased_until__isnull=True)
                | Q(leased_by__isnull=False, leased_until__isnull=False),
                name="ending_job_lease_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job_id} on {self.reservation_id}: {self.state}"


class CheckpointDuration(models.Model):
    """How long one checkpoint of a job took; never changed afterwards."""

    job = models.ForeignKey(EndingJob, on_delete=models.CASCADE, related_name="durations")
    measured_at = models.DateTimeField()
    took_ms = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "measured_at"], name="checkpoint_measured_once")]

    def __str__(self) -> str:
        return f"{self.job_id} at {self.measured_at}: {self.took_ms} ms"


class EndStep(models.Model):
    """What was done about a job for one end of its block: written down before it is done.

    Its id goes out with a stop request, so that a repeated one is known for what it is. An end that moves is another.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    job = models.ForeignKey(EndingJob, on_delete=models.CASCADE, related_name="steps")
    end_at = models.DateTimeField(help_text="the block's end it was done for")
    step = models.CharField(max_length=24, choices=[(one.value, one.value) for one in Step])
    intended_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0, help_text="begun")
    tried_at = models.DateTimeField(null=True, blank=True, help_text="when the last attempt ended")
    result = models.CharField(
        max_length=32,
        blank=True,
        help_text="of a last attempt that failed, a word; of an escalation, its trouble",
    )
    outcome = models.TextField(blank=True, help_text="of the last attempt, one sentence")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "end_at", "step"], name="end_step_once_an_end"),
            models.CheckConstraint(condition=Q(step__in=[one.value for one in Step]), name="end_step_is_known"),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(result="") | Q(step=Step.ESCALATE.value),
                name="end_step_done_has_no_failure",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.step} of {self.job_id} for {self.end_at}"
