"""Recommendations with their frozen evidence, what was decided on them, and what purchases assumed."""

from django.db import models
from django.db.models import F, Q

from scheduler.domain.recommendation.confidence import Confidence
from scheduler.domain.recommendation.decision import Action, Decides
from scheduler.domain.recommendation.standing import NEEDS_REASON, Standing

_ACTIONS = [action.value for action in Action]
_DECIDES = [word.value for word in Decides]
_LEVELS = [level.value for level in Confidence]
_STANDINGS = [standing.value for standing in Standing]


def _money(**options: bool) -> models.DecimalField:
    return models.DecimalField(max_digits=24, decimal_places=6, null=True, blank=True, **options)


class Recommendation(models.Model):
    """What was recommended about a pool for a month; other evidence makes another revision, and none is changed."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+")
    month = models.DateField(help_text="first day of the last month that its hours come from")
    revision = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    as_of = models.DateTimeField(help_text="the instant whose reservations and prices it rests on")
    replaced_at = models.DateTimeField(null=True, blank=True, help_text="when a newer revision took its place")
    action = models.CharField(max_length=8, choices=[(word, word) for word in _ACTIONS])
    current_nodes = models.PositiveIntegerField()
    rule_nodes = models.PositiveIntegerField(null=True, blank=True)
    adjusted_rule_nodes = models.PositiveIntegerField(null=True, blank=True)
    packed_nodes = models.PositiveIntegerField(null=True, blank=True)
    proposed_nodes = models.PositiveIntegerField(null=True, blank=True)
    decides = models.CharField(max_length=12, choices=[(word, word) for word in _DECIDES])
    reasons = models.JSONField(help_text="plain sentences")
    saving = _money()
    saving_low = _money()
    saving_high = _money()
    regret = _money()
    currency = models.CharField(max_length=3, blank=True)
    confidence = models.CharField(max_length=8, choices=[(word, word) for word in _LEVELS])
    why_confidence = models.CharField(max_length=200, blank=True)
    decision_date = models.DateField(null=True, blank=True)
    why_no_date = models.CharField(max_length=200, blank=True)
    # As a text: the database's own JSON forgets how it was written, and the hash is of these very characters.
    evidence = models.TextField()
    evidence_hash = models.CharField(max_length=64)
    standing = models.CharField(
        max_length=16, choices=[(word, word) for word in _STANDINGS], default=Standing.OPEN.value
    )

    class Meta:
        ordering = ("pool", "-month", "-revision")
        constraints = [
            models.UniqueConstraint(fields=["pool", "month", "revision"], name="recommendation_revision_once"),
            models.UniqueConstraint(
                fields=["pool", "month"], condition=Q(replaced_at__isnull=True), name="recommendation_one_in_force"
            ),
            models.CheckConstraint(condition=Q(action__in=_ACTIONS), name="recommendation_action_is_known"),
            models.CheckConstraint(condition=Q(decides__in=_DECIDES), name="recommendation_decides_is_known"),
            models.CheckConstraint(condition=Q(confidence__in=_LEVELS), name="recommendation_confidence_is_known"),
            models.CheckConstraint(condition=Q(standing__in=_STANDINGS), name="recommendation_standing_is_known"),
            models.CheckConstraint(
                condition=Q(evidence_hash__regex=r"^[0-9a-f]{64}$"), name="recommendation_hash_is_one"
            ),
            models.CheckConstraint(
                condition=Q(action="none", proposed_nodes__isnull=True, saving__isnull=True)
                | (~Q(action="none") & Q(proposed_nodes__isnull=False, rule_nodes__isnull=False)),
                name="recommendation_none_proposes_nothing",
            ),
            models.CheckConstraint(
                condition=Q(action="none")
                | Q(action="keep", proposed_nodes=F("current_nodes"))
                | Q(action="grow", proposed_nodes__gt=F("current_nodes"))
                | Q(action="shrink", proposed_nodes__lt=F("current_nodes"), proposed_nodes__gt=0)
                | Q(action="lapse", proposed_nodes=0, current_nodes__gt=0),
                name="recommendation_action_fits_its_nodes",
            ),
            models.CheckConstraint(
                condition=~Q(action="none") | Q(standing="open"), name="recommendation_none_is_not_decided"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id}, {self.month:%Y-%m}, revision {self.revision}: {self.action}"


class RecommendationDecision(models.Model):
    """Who decided what about a recommendation, and when; it is never changed afterwards."""

    recommendation = models.ForeignKey(Recommendation, on_delete=models.CASCADE, related_name="decisions")
    standing = models.CharField(max_length=16, choices=[(word, word) for word in _STANDINGS if word != "open"])
    reason = models.TextField(max_length=2000, blank=True)
    decided_by = models.ForeignKey("reservations.User", null=True, on_delete=models.SET_NULL, related_name="+")
    decided_by_name = models.CharField(max_length=150, help_text="the log-in at that time")
    decided_at = models.DateTimeField()

    class Meta:
        ordering = ("decided_at", "id")
        constraints = [
            models.UniqueConstraint(fields=["recommendation", "standing"], name="recommendation_decided_once_so"),
            models.CheckConstraint(
                condition=Q(standing__in=[word for word in _STANDINGS if word != "open"]),
                name="recommendation_decision_is_known",
            ),
            models.CheckConstraint(
                condition=~Q(standing__in=sorted(word.value for word in NEEDS_REASON)) | ~Q(reason=""),
                name="recommendation_decision_has_its_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recommendation_id}: {self.standing} by {self.decided_by_name}"


class PurchaseAssumption(models.Model):
    """What a purchase was justified with, so that it can be held against what became of it; null: nothing was said."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+")
    reservation = models.CharField(max_length=256, blank=True, help_text="its id or ARN; blank: the pool as a whole")
    bought_on = models.DateField()
    nodes = models.PositiveIntegerField(help_text="held after it")
    mean_nodes = models.DecimalField(max_digits=10, decimal_places=4, null=True, blank=True)
    peak_nodes = models.DecimalField(max_digits=10, decimal_places=4, null=True, blank=True)
    busy_share = models.DecimalField(max_digits=5, decimal_places=4, null=True, blank=True)
    break_even = models.DecimalField(max_digits=7, decimal_places=4, null=True, blank=True)
    on_demand = models.DecimalField(max_digits=16, decimal_places=6, null=True, blank=True, help_text="per node-hour")
    reserved = models.DecimalField(max_digits=16, decimal_places=6, null=True, blank=True, help_text="per node-hour")
    currency = models.CharField(max_length=3, blank=True)
    author = models.CharField(max_length=150)
    note = models.TextField(max_length=2000, blank=True)
    entered_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ("pool", "bought_on", "reservation")
        constraints = [
            models.UniqueConstraint(fields=["pool", "bought_on", "reservation"], name="purchase_assumed_once"),
            models.CheckConstraint(condition=Q(nodes__gt=0), name="purchase_of_some_nodes"),
            models.CheckConstraint(
                condition=Q(busy_share__isnull=True) | Q(busy_share__gte=0, busy_share__lte=1),
                name="purchase_busy_share_is_a_share",
            ),
            models.CheckConstraint(
                condition=Q(mean_nodes__isnull=False) | Q(peak_nodes__isnull=False) | Q(busy_share__isnull=False),
                name="purchase_assumes_something",
            ),
            models.CheckConstraint(
                condition=Q(on_demand__isnull=True, reserved__isnull=True) | ~Q(currency=""),
                name="purchase_prices_have_a_currency",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id}: {self.nodes} nodes bought on {self.bought_on}"
