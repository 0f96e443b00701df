"""Requests for exceptions from the procurement rule: versions that never change once submitted, moves and files."""

from django.db import models
from django.db.models import F, Q

from reservations.domain.procurement.attachment import LARGEST, LONGEST_NAME
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.request_state import LEGAL, RequestMove, RequestState

_STATES = [state.value for state in RequestState]
_MOVES = [move.value for move in RequestMove]
_TYPES = [kind.value for kind in ExceptionType]
_HASH = r"^[0-9a-f]{64}$"
_REASONED = sorted(move.value for move in RequestMove if LEGAL[move].needs_reason)


class ExceptionRequest(models.Model):
    """One request with where it stands; what it says is in its versions, and ``version`` is the newest."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.PROTECT, related_name="+")
    requester = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    requester_name = models.CharField(max_length=150, help_text="the log-in at that time")
    state = models.CharField(
        max_length=16, choices=[(word, word) for word in _STATES], default=RequestState.DRAFT.value
    )
    version = models.PositiveIntegerField(default=1)
    moves = models.PositiveIntegerField(default=1, help_text="the number of the last move")
    recommendation = models.PositiveBigIntegerField(null=True, blank=True, help_text="the one it was asked from")
    created_at = models.DateTimeField()
    moved_at = models.DateTimeField(help_text="of the last move")
    decide_by = models.DateField(null=True, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True, help_text="until when an approval may be executed")
    executed_with = models.ForeignKey(
        "reservations.Reservation", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["state", "moved_at"], name="exception_by_state")]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=_STATES), name="exception_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state__in=["approved", "executed"]) | Q(approved_at__isnull=False),
                name="exception_approved_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(approved_at__isnull=True, valid_until__isnull=True) | Q(valid_until__gte=F("approved_at")),
                name="exception_valid_after_approval",
            ),
            models.CheckConstraint(
                condition=Q(executed_with__isnull=True) | Q(state="executed"), name="exception_bought_once_executed"
            ),
            models.UniqueConstraint(
                fields=["executed_with"],
                condition=Q(executed_with__isnull=False),
                name="exception_reservation_bought_once",
            ),
        ]

    def __str__(self) -> str:
        return f"request {self.pk}, version {self.version}: {self.state}"


class ExceptionVersion(models.Model):
    """What a request says: typed freely until it is submitted, then frozen with its evidence (a trigger holds it)."""

    request = models.ForeignKey(ExceptionRequest, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    typed = models.JSONField(default=dict, help_text="the form's fields as they were typed")
    saves = models.PositiveIntegerField(default=1, help_text="counts up, so that no save overwrites another unseen")
    saved_at = models.DateTimeField()
    author = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    author_name = models.CharField(max_length=150)
    rule = models.ForeignKey(
        "reservations.ProcurementRule", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    required = models.JSONField(default=list, help_text="the steps it needs, as the rule in force said")
    kind = models.CharField(max_length=24, blank=True, choices=[(word, word) for word in _TYPES])
    shape = models.CharField(max_length=64, blank=True)
    nodes = models.PositiveIntegerField(null=True, blank=True)
    term_start = models.DateField(null=True, blank=True)
    term_end = models.DateField(null=True, blank=True)
    amount = models.DecimalField(max_digits=18, decimal_places=2, null=True, blank=True)
    authority_amount = models.DecimalField(
        max_digits=18, decimal_places=2, null=True, blank=True, help_text="that its steps were chosen by"
    )
    node_hour_price = models.DecimalField(max_digits=16, decimal_places=6, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    # As texts: the database's own JSON forgets how it was written, and the hashes are of these very characters.
    content = models.TextField(blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    evidence = models.TextField(blank=True)
    evidence_hash = models.CharField(max_length=64, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["request", "number"], name="exception_version_numbered_once"),
            models.CheckConstraint(condition=Q(kind__in=["", *_TYPES]), name="exception_type_is_known"),
            models.CheckConstraint(
                condition=Q(submitted_at__isnull=True, content="", content_hash="", evidence="", evidence_hash="")
                | Q(
                    submitted_at__isnull=False,
                    rule__isnull=False,
                    kind__in=_TYPES,
                    nodes__isnull=False,
                    amount__gte=0,
                    authority_amount__gte=F("amount"),
                    content_hash__regex=_HASH,
                    evidence_hash__regex=_HASH,
                    term_end__gt=F("term_start"),
                ),
                name="exception_version_frozen_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_id}, version {self.number}"


class ExceptionMove(models.Model):
    """One move of a request, once for each form's key; it is never changed afterwards."""

    request = models.ForeignKey(ExceptionRequest, on_delete=models.PROTECT, related_name="trail")
    number = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    move = models.CharField(max_length=16, choices=[(word, word) for word in _MOVES])
    state = models.CharField(max_length=16, choices=[(word, word) for word in _STATES], help_text="after it")
    reason = models.TextField(max_length=2000, blank=True)
    told = models.TextField(blank=True, help_text="what it did, in one sentence")
    key = models.UUIDField(null=True, blank=True, unique=True)
    by = models.ForeignKey("reservations.User", null=True, on_delete=models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=150, blank=True, help_text="the log-in at that time; blank: no person")
    acting_for_name = models.CharField(max_length=150, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=["request", "number"], name="exception_move_numbered_once"),
            models.CheckConstraint(condition=Q(move__in=_MOVES), name="exception_move_is_known"),
            models.CheckConstraint(condition=Q(state__in=_STATES), name="exception_move_state_is_known"),
            models.CheckConstraint(
                condition=~Q(move__in=_REASONED) | ~Q(reason=""), name="exception_move_has_its_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_id}, {self.number}: {self.move}"


class ExceptionAttachment(models.Model):
    """A file of one version, in the database, so that it is kept and backed up with what it proves."""

    version = models.ForeignKey(ExceptionVersion, on_delete=models.PROTECT, related_name="attachments")
    name = models.CharField(max_length=LONGEST_NAME)
    media_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    added_by_name = models.CharField(max_length=150)
    added_at = models.DateTimeField()

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(fields=["version", "sha256"], name="exception_file_once"),
            models.CheckConstraint(condition=Q(size__gt=0, size__lte=LARGEST), name="exception_file_size_is_bounded"),
            models.CheckConstraint(condition=Q(sha256__regex=_HASH), name="exception_file_hash_is_one"),
        ]

    def __str__(self) -> str:
        return self.name
