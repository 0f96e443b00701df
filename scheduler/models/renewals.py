"""What follows each end of a reservation: one record for each end, every move with its evidence, and end plans."""

from django.db import models
from django.db.models import F, Q

from scheduler.domain.renewal.standing import AtEnd, Choice, RenewalMove, RenewalState, ResumeTest

_STATES = [state.value for state in RenewalState]
_MOVES = [move.value for move in RenewalMove]
_CHOICES = [choice.value for choice in Choice]
_AT_END = [word.value for word in AtEnd]
_TESTS = [word.value for word in ResumeTest]


def _decision_fits(nodes: str = "nodes", until: str = "until_at") -> Q:
    """A size stands beside what keeps nodes, and nothing beside what lets them lapse."""
    return Q(choice__in=["", "lapse"], **{f"{nodes}__isnull": True, f"{until}__isnull": True}) | Q(
        choice__in=["renew", "resize"], **{f"{nodes}__isnull": False, f"{nodes}__gt": 0}
    )


class Renewal(models.Model):
    """What follows one end of one reservation; ``until_at`` null beside a size: it is to have no end."""

    reservation = models.ForeignKey("reservations.Reservation", on_delete=models.CASCADE, related_name="+")
    end_at = models.DateTimeField(help_text="the end it is about")
    state = models.CharField(
        max_length=16, choices=[(word, word) for word in _STATES], default=RenewalState.PROPOSED.value
    )
    choice = models.CharField(max_length=8, choices=[(word, word) for word in _CHOICES], blank=True)
    nodes = models.PositiveIntegerField(null=True, blank=True, help_text="held from the old end on")
    until_at = models.DateTimeField(null=True, blank=True, help_text="the end decided on")
    followed_by = models.ForeignKey(
        "reservations.Reservation",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="the one that starts where this one ended; blank: the same one goes on, or none does",
    )
    proposed_at = models.DateTimeField()
    moved_at = models.DateTimeField(help_text="of the last move")
    moves = models.PositiveIntegerField(default=1, help_text="the number of the last move")

    class Meta:
        ordering = ("end_at", "id")
        indexes = [models.Index(fields=["state", "end_at"], name="renewal_by_end")]
        constraints = [
            models.UniqueConstraint(fields=["reservation", "end_at"], name="renewal_once_for_each_end"),
            models.CheckConstraint(condition=Q(state__in=_STATES), name="renewal_state_is_known"),
            models.CheckConstraint(condition=Q(choice__in=["", *_CHOICES]), name="renewal_choice_is_known"),
            models.CheckConstraint(condition=_decision_fits(), name="renewal_nodes_fit_the_choice"),
            models.CheckConstraint(
                condition=Q(state__in=["decided", "executed"], choice__in=_CHOICES)
                | Q(state__in=["proposed", "superseded"], choice=""),
                name="renewal_choice_fits_its_state",
            ),
            models.CheckConstraint(
                condition=Q(until_at__isnull=True) | Q(until_at__gt=F("end_at")), name="renewal_goes_on_past_its_end"
            ),
            models.CheckConstraint(
                condition=Q(followed_by__isnull=True) | Q(state="executed"), name="renewal_followed_once_executed"
            ),
            models.UniqueConstraint(
                fields=["followed_by"], condition=Q(followed_by__isnull=False), name="renewal_follower_follows_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reservation_id} at {self.end_at}: {self.state}"


class RenewalStep(models.Model):
    """One move of a renewal with what was known then; it is never changed afterwards."""

    renewal = models.ForeignKey(Renewal, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    move = models.CharField(max_length=16, choices=[(word, word) for word in _MOVES])
    choice = models.CharField(max_length=8, choices=[(word, word) for word in _CHOICES], blank=True)
    nodes = models.PositiveIntegerField(null=True, blank=True)
    until_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(max_length=2000, blank=True)
    # As a text: the database's own JSON forgets how it was written, and the hash is of these very characters.
    evidence = models.TextField()
    evidence_hash = models.CharField(max_length=64)
    moved_by = models.ForeignKey("reservations.User", null=True, on_delete=models.SET_NULL, related_name="+")
    moved_by_name = models.CharField(max_length=150, blank=True, help_text="the log-in at that time; blank: no person")
    moved_at = models.DateTimeField()

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=["renewal", "number"], name="renewal_step_numbered_once"),
            models.CheckConstraint(condition=Q(move__in=_MOVES), name="renewal_step_is_known"),
            models.CheckConstraint(condition=Q(choice__in=["", *_CHOICES]), name="renewal_step_choice_is_known"),
            models.CheckConstraint(condition=_decision_fits(), name="renewal_step_nodes_fit_the_choice"),
            models.CheckConstraint(
                condition=Q(evidence_hash__regex=r"^[0-9a-f]{64}$"), name="renewal_step_hash_is_one"
            ),
            models.CheckConstraint(
                condition=~Q(move__in=["revise", "supersede", "reopen"]) | ~Q(reason=""),
                name="renewal_step_has_its_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.renewal_id}, {self.number}: {self.move}"


class EndPlan(models.Model):
    """What is to become of the work at the end, and how the last try on the fallback went; the newest one holds."""

    renewal = models.ForeignKey(Renewal, on_delete=models.CASCADE, related_name="plans")
    number = models.PositiveIntegerField()
    at_end = models.CharField(max_length=16, choices=[(word, word) for word in _AT_END])
    fallback = models.CharField(max_length=200, blank=True, help_text="where the work goes")
    resume_tested_on = models.DateField(null=True, blank=True)
    resume_test = models.CharField(max_length=8, choices=[(word, word) for word in _TESTS], blank=True)
    note = models.TextField(max_length=2000, blank=True)
    planned_by = models.ForeignKey("reservations.User", null=True, on_delete=models.SET_NULL, related_name="+")
    planned_by_name = models.CharField(max_length=150, help_text="the log-in at that time")
    planned_at = models.DateTimeField()

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["renewal", "number"], name="end_plan_numbered_once"),
            models.CheckConstraint(condition=Q(at_end__in=_AT_END), name="end_plan_is_known"),
            models.CheckConstraint(
                condition=~Q(at_end="fall_back") | ~Q(fallback=""), name="end_plan_names_its_fallback"
            ),
            models.CheckConstraint(
                condition=Q(resume_test="", resume_tested_on__isnull=True)
                | Q(resume_test__in=_TESTS, resume_tested_on__isnull=False),
                name="end_plan_test_has_its_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.renewal_id}, {self.number}: {self.at_end}"
