"""Where messages go, which were owed, and what became of each."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from scheduler.domain.alert.delivery import ChannelName, DeliveryState, Mode
from scheduler.domain.alert.severity import Severity

_CHANNELS = [channel.value for channel in ChannelName]
_STATES = [state.value for state in DeliveryState]
_MODES = [mode.value for mode in Mode]
_SEVERITIES = [severity.value for severity in Severity]


class NotificationRoute(models.Model):
    """One address that messages go to: of a team, of one person, or of the whole organisation (where they escalate to).

    The address is sealed: a webhook's or a service's address is a secret. ``shown`` is what may be seen of it.
    """

    owner = models.ForeignKey("reservations.Owner", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("reservations.User", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    channel = models.CharField(max_length=8, choices=[(word, word) for word in _CHANNELS])
    address_sealed = models.TextField()
    secret_sealed = models.TextField(blank=True, help_text="what a webhook's messages are signed with")
    shown = models.CharField(max_length=120)
    rules = ArrayField(models.CharField(max_length=40), default=list, blank=True, help_text="none: every rule")
    least = models.CharField(max_length=8, choices=[(word, word) for word in _SEVERITIES], default="notice")
    at_once_from = models.CharField(
        max_length=8, choices=[(word, word) for word in _SEVERITIES], default="critical", help_text="below it: digest"
    )
    digest_hour = models.PositiveSmallIntegerField(default=8)
    zone = models.CharField(max_length=64, default="UTC")
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    enabled = models.BooleanField(default=True)
    made_by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True, help_text="when a trial was last sent to it")
    failing_since = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("owner", "user", "name", "id")
        constraints = [
            models.CheckConstraint(condition=Q(channel__in=_CHANNELS), name="route_channel_is_known"),
            models.CheckConstraint(condition=Q(least__in=_SEVERITIES), name="route_least_is_known"),
            models.CheckConstraint(condition=Q(at_once_from__in=_SEVERITIES), name="route_at_once_is_known"),
            models.CheckConstraint(condition=Q(digest_hour__lt=24), name="route_digest_hour_is_one"),
            models.CheckConstraint(
                condition=Q(owner__isnull=True) | Q(user__isnull=True), name="route_of_a_team_or_a_person"
            ),
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | (Q(quiet_from__isnull=False, quiet_until__isnull=False) & ~Q(quiet_from=F("quiet_until"))),
                name="route_quiet_hours_have_both_ends",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.channel})"


class Digest(models.Model):
    """The one message of a day to one address, of everything that could wait."""

    recipient = models.CharField(max_length=120)
    day = models.DateField()
    route = models.ForeignKey(NotificationRoute, null=True, on_delete=models.SET_NULL, related_name="digests")
    state = models.CharField(max_length=8, choices=[(word, word) for word in _STATES], default="due")
    attempts = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("-day", "recipient")
        constraints = [
            models.UniqueConstraint(fields=["recipient", "day"], name="digest_once_a_day"),
            models.CheckConstraint(condition=Q(state__in=_STATES), name="digest_state_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.recipient} on {self.day}"


class Delivery(models.Model):
    """One step of one episode owed to one recipient, once: the key is what keeps two workers from telling it twice."""

    episode = models.ForeignKey("scheduler.AlertEpisode", on_delete=models.CASCADE, related_name="deliveries")
    step = models.CharField(max_length=40)
    recipient = models.CharField(max_length=120, help_text="route:<id>, or owner:<name> for a team's own e-mail")
    route = models.ForeignKey(NotificationRoute, null=True, on_delete=models.SET_NULL, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=[(word, word) for word in _CHANNELS])
    shown = models.CharField(max_length=120, help_text="what may be seen of the address, as it was")
    mode = models.CharField(max_length=8, choices=[(word, word) for word in _MODES])
    state = models.CharField(max_length=8, choices=[(word, word) for word in _STATES], default="due")
    attempts = models.PositiveSmallIntegerField(default=0)
    owed_at = models.DateTimeField()
    try_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    subject = models.CharField(max_length=300, help_text="as it was told")
    digest = models.ForeignKey(Digest, null=True, blank=True, on_delete=models.SET_NULL, related_name="deliveries")

    class Meta:
        ordering = ("-owed_at", "-id")
        constraints = [
            models.UniqueConstraint(fields=["episode", "step", "recipient"], name="delivery_owed_once"),
            models.CheckConstraint(condition=Q(state__in=_STATES), name="delivery_state_is_known"),
            models.CheckConstraint(condition=Q(mode__in=_MODES), name="delivery_mode_is_known"),
            models.CheckConstraint(condition=Q(channel__in=_CHANNELS), name="delivery_channel_is_known"),
        ]
        indexes = [models.Index(fields=["try_at"], condition=Q(state="due"), name="delivery_due")]

    def __str__(self) -> str:
        return f"{self.episode_id} {self.step} to {self.recipient}: {self.state}"
