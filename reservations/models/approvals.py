"""Who did what about a request, each person in one part only, with the authority they had then."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q

from reservations.domain.access import Role
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.separation import Part
from reservations.models.inventory import single_id_range

_HASH = r"^[0-9a-f]{64}$"
_PARTS = [part.value for part in Part]
_ROLES = [role.value for role in Role]


class ExceptionPart(models.Model):
    """A person's one part in a version: that no two parts are one person's is this table's constraint."""

    version = models.ForeignKey("reservations.ExceptionVersion", on_delete=models.PROTECT, related_name="parts")
    user = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    part = models.CharField(max_length=16, choices=[(word, word) for word in _PARTS])

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "user"], name="exception_one_part_each"),
            models.CheckConstraint(condition=Q(part__in=_PARTS), name="exception_part_is_known"),
            models.UniqueConstraint(fields=["version"], condition=Q(part="executor"), name="exception_one_executor"),
            models.UniqueConstraint(fields=["version"], condition=Q(part="second"), name="exception_one_second"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.user_id} as {self.part}"


class Delegation(models.Model):
    """One person's own authority, lent to another for a time, up to an amount; no ``types``: of every type."""

    delegator = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    delegate = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    period = DateTimeRangeField(help_text="half-open; shorter once it was ended early")
    up_to = models.DecimalField(max_digits=18, decimal_places=2)
    currency = models.CharField(max_length=3)
    types = ArrayField(models.CharField(max_length=24), default=list, blank=True)
    reason = models.TextField(max_length=2000)
    key = models.UUIDField(null=True, blank=True, unique=True)
    made_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by_name = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(condition=~Q(delegator=F("delegate")), name="delegation_to_somebody_else"),
            models.CheckConstraint(
                condition=Q(period__startswith__isnull=False, period__endswith__isnull=False, period__isempty=False)
                | Q(ended_at__isnull=False),
                name="delegation_starts_and_ends",
            ),
            models.CheckConstraint(condition=Q(up_to__gt=0), name="delegation_up_to_an_amount"),
            models.CheckConstraint(condition=~Q(reason=""), name="delegation_has_its_reason"),
            models.CheckConstraint(
                condition=Q(types__contained_by=[kind.value for kind in ExceptionType]),
                name="delegation_types_are_known",
            ),
            ExclusionConstraint(
                name="delegation_once_at_a_time",
                expressions=[
                    (single_id_range("delegator_id"), RangeOperators.OVERLAPS),
                    (single_id_range("delegate_id"), RangeOperators.OVERLAPS),
                    ("period", RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.delegator_id} to {self.delegate_id}"


class ExceptionApproval(models.Model):
    """One person's approval of one step of the content with this hash, and what gave them the authority then."""

    version = models.ForeignKey("reservations.ExceptionVersion", on_delete=models.PROTECT, related_name="approvals")
    step = models.CharField(max_length=24)
    person = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    person_name = models.CharField(max_length=150)
    requester = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    acting_for = models.ForeignKey(
        "reservations.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    acting_for_name = models.CharField(max_length=150, blank=True)
    delegation = models.ForeignKey(Delegation, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    role = models.CharField(max_length=16, choices=[(word, word) for word in _ROLES])
    authority = models.CharField(max_length=300, help_text="the rule's version and the clause, in words")
    content_hash = models.CharField(max_length=64)
    role_is_recent = models.BooleanField(default=False, help_text="granted within the rule's days before")
    note = models.TextField(max_length=2000, blank=True)
    carried_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField()

    class Meta:
        ordering = ("approved_at", "id")
        constraints = [
            models.UniqueConstraint(fields=["version", "person"], name="exception_approved_once_by_each"),
            models.UniqueConstraint(
                fields=["version", "acting_for"],
                condition=Q(acting_for__isnull=False),
                name="exception_approved_once_for_each",
            ),
            models.CheckConstraint(condition=~Q(person=F("requester")), name="exception_requester_approves_not"),
            models.CheckConstraint(
                condition=Q(acting_for__isnull=True, delegation__isnull=True)
                | (
                    Q(acting_for__isnull=False, delegation__isnull=False)
                    & ~Q(acting_for=F("requester"))
                    & ~Q(acting_for=F("person"))
                ),
                name="exception_delegate_is_neither",
            ),
            models.CheckConstraint(condition=Q(content_hash__regex=_HASH), name="exception_approval_hash_is_one"),
            models.CheckConstraint(condition=Q(role__in=_ROLES), name="exception_approval_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}, {self.step} by {self.person_name}"


class ExceptionCondition(models.Model):
    """What an approval is tied to, by when, and how it was met."""

    request = models.ForeignKey("reservations.ExceptionRequest", on_delete=models.PROTECT, related_name="conditions")
    approval = models.ForeignKey(ExceptionApproval, on_delete=models.PROTECT, related_name="conditions")
    text = models.TextField(max_length=2000)
    due_on = models.DateField()
    met_at = models.DateTimeField(null=True, blank=True)
    met_by_name = models.CharField(max_length=150, blank=True)
    met_note = models.TextField(max_length=2000, blank=True)

    class Meta:
        ordering = ("due_on", "id")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="exception_condition_says_something"),
            models.CheckConstraint(
                condition=Q(met_at__isnull=True, met_by_name="", met_note="")
                | (Q(met_at__isnull=False) & ~Q(met_by_name="") & ~Q(met_note="")),
                name="exception_condition_met_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_id}: {self.text[:40]}"


class BreakGlass(models.Model):
    """An approval by one person in an emergency, and the second sign-off that it needs afterwards."""

    class Verdict(models.TextChoices):
        AGREED = "agreed"
        REFUSED = "refused"

    version = models.OneToOneField("reservations.ExceptionVersion", on_delete=models.PROTECT, related_name="glass")
    reason = models.TextField(max_length=2000)
    opened_by = models.ForeignKey("reservations.User", on_delete=models.PROTECT, related_name="+")
    opened_by_name = models.CharField(max_length=150)
    opened_at = models.DateTimeField()
    sign_off_due_at = models.DateTimeField()
    signed_by = models.ForeignKey(
        "reservations.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    signed_by_name = models.CharField(max_length=150, blank=True)
    signed_at = models.DateTimeField(null=True, blank=True)
    verdict = models.CharField(max_length=8, blank=True, choices=Verdict.choices)
    note = models.TextField(max_length=2000, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="break_glass_has_its_reason"),
            models.CheckConstraint(
                condition=Q(verdict__in=["", "agreed", "refused"]), name="break_glass_verdict_is_known"
            ),
            models.CheckConstraint(
                condition=Q(signed_by__isnull=True, signed_at__isnull=True, verdict="")
                | (
                    Q(signed_by__isnull=False, signed_at__isnull=False, verdict__in=["agreed", "refused"])
                    & ~Q(signed_by=F("opened_by"))
                ),
                name="break_glass_signed_by_another",
            ),
            models.CheckConstraint(
                condition=Q(sign_off_due_at__gt=F("opened_at")), name="break_glass_is_due_afterwards"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}, opened by {self.opened_by_name}"
