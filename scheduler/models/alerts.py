"""Alert episodes, what people did about them, and the thresholds that were set otherwise."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from scheduler.domain.alert.episode import Deed, EpisodeState
from scheduler.domain.alert.severity import Severity

_DEEDS = [deed.value for deed in Deed]
_STATES = [state.value for state in EpisodeState]
_SEVERITIES = [severity.value for severity in Severity]


class AlertEpisode(models.Model):
    """One stretch of time in which a rule found something wrong with one object; one at a time, and never reopened."""

    rule = models.CharField(max_length=40)
    key = models.CharField(max_length=200, help_text="what it is about, whatever the occasion")
    object = models.CharField(max_length=240, help_text="the key with the occasion, where occasions are told apart")
    subject = models.CharField(max_length=200, help_text="its name as it is shown")
    pool = models.CharField(max_length=80, blank=True)
    reservation = models.ForeignKey(
        "reservations.Reservation", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    owner = models.CharField(max_length=80, blank=True, help_text="the team that answers for it; blank: nobody's")
    teams = ArrayField(models.CharField(max_length=80), default=list, blank=True, help_text="who may see it")
    severity = models.CharField(max_length=8, choices=[(word, word) for word in _SEVERITIES])
    state = models.CharField(max_length=12, choices=[(word, word) for word in _STATES])
    since = models.DateTimeField(help_text="when it began, by the data")
    opened_at = models.DateTimeField(help_text="the evaluation that found it")
    found_at = models.DateTimeField(help_text="the last evaluation that found it")
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.CharField(max_length=150, blank=True, help_text="the log-in; blank: it was found in order")
    hushed = models.BooleanField(
        default=False, help_text="resolved by a person and not found in order since: the same opens no other"
    )
    step = models.CharField(max_length=40, blank=True, help_text="the last step its rule named")
    also = ArrayField(
        models.CharField(max_length=40),
        default=list,
        blank=True,
        help_text="every step that came beside, each told once",
    )
    summary = models.CharField(max_length=300)
    cause = models.CharField(max_length=500, blank=True)
    numbers = models.JSONField(default=list, help_text="[name, figure] pairs that the last finding rests on")
    next_step = models.JSONField(help_text="verb, page, of, query")
    weekly_gpu_ms = models.BigIntegerField(null=True, blank=True)
    weekly_money = models.DecimalField(max_digits=24, decimal_places=6, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    why_no_money = models.CharField(max_length=200, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    snoozed_severity = models.CharField(max_length=8, blank=True, choices=[(word, word) for word in _SEVERITIES])
    snoozed_money = models.DecimalField(max_digits=24, decimal_places=6, null=True, blank=True)
    woken_at = models.DateTimeField(null=True, blank=True, help_text="when it last came back from being put off")
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    acknowledged_by = models.CharField(max_length=150, blank=True)
    assigned_to = models.ForeignKey(
        "reservations.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("-opened_at", "-id")
        constraints = [
            models.UniqueConstraint(
                fields=["rule", "object"], condition=~Q(state="resolved"), name="alert_one_episode_at_a_time"
            ),
            models.CheckConstraint(condition=Q(state__in=_STATES), name="alert_state_is_known"),
            models.CheckConstraint(condition=Q(severity__in=_SEVERITIES), name="alert_severity_is_known"),
            models.CheckConstraint(
                condition=Q(state="resolved", resolved_at__isnull=False)
                | (~Q(state="resolved") & Q(resolved_at__isnull=True)),
                name="alert_resolved_has_its_time",
            ),
            models.CheckConstraint(
                condition=~Q(state="snoozed") | Q(snoozed_until__isnull=False), name="alert_snoozed_has_its_end"
            ),
            models.CheckConstraint(
                condition=Q(weekly_money__isnull=True) | ~Q(currency=""), name="alert_money_has_a_currency"
            ),
            models.CheckConstraint(
                condition=Q(hushed=False) | (Q(state="resolved") & ~Q(resolved_by="")), name="alert_hushed_by_a_person"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "-opened_at"], name="alert_by_state"),
            models.Index(fields=["rule", "-opened_at"], name="alert_by_rule"),
            models.Index(fields=["rule", "object"], condition=Q(hushed=True), name="alert_hushed"),
            GinIndex(fields=["teams"], name="alert_by_team"),
        ]

    def __str__(self) -> str:
        return f"{self.rule}: {self.object}"


class EpisodeNote(models.Model):
    """What was done about an episode, or written to it; it is never changed afterwards."""

    episode = models.ForeignKey(AlertEpisode, on_delete=models.CASCADE, related_name="notes")
    deed = models.CharField(max_length=12, choices=[(word, word) for word in _DEEDS])
    text = models.TextField(max_length=2000, blank=True)
    by = models.CharField(max_length=150, blank=True, help_text="the log-in; blank: an evaluation")
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")
        constraints = [models.CheckConstraint(condition=Q(deed__in=_DEEDS), name="episode_note_deed_is_known")]

    def __str__(self) -> str:
        return f"{self.episode_id}: {self.deed} at {self.at}"


class AlertEvaluation(models.Model):
    """One instant at which every rule was asked; none goes back behind the newest."""

    as_of = models.DateTimeField(unique=True)
    made_at = models.DateTimeField()
    opened = models.PositiveIntegerField(default=0)
    resolved = models.PositiveIntegerField(default=0)
    silent = models.JSONField(default=dict, help_text="rule → how many subjects nothing could be said about")
    failed = models.JSONField(
        default=dict, help_text="rule → what went wrong with it; its episodes stayed as they were"
    )

    class Meta:
        ordering = ("-as_of",)

    def __str__(self) -> str:
        return f"{self.as_of}"


class RuleThreshold(models.Model):
    """One threshold of a rule set otherwise, for a pool or for all; the newest of each stands, none is changed."""

    rule = models.CharField(max_length=40)
    name = models.CharField(max_length=40)
    pool = models.ForeignKey("reservations.Pool", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    value = models.CharField(max_length=40, blank=True, help_text="as it was written; blank: back to the default")
    reason = models.CharField(max_length=300, blank=True)
    set_by = models.CharField(max_length=150)
    set_at = models.DateTimeField()

    class Meta:
        ordering = ("-set_at", "-id")
        indexes = [models.Index(fields=["rule", "name", "pool", "-set_at"], name="threshold_newest")]

    def __str__(self) -> str:
        return f"{self.rule}.{self.name} = {self.value or 'default'}"
