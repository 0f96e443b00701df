from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now

from reservations.domain.access import Role
from reservations.domain.period import UnableToReadTime, zone


def check_zone(name: str) -> None:
    """ValidationError when a name is no IANA time zone."""
    try:
        zone(name)
    except UnableToReadTime as unable:
        raise ValidationError(f"{unable}.", code="unknown_zone") from unable


class User(AbstractUser):
    """A person; what they may do stands in their role grants, not in Django's permissions."""

    zone = models.CharField(
        max_length=64,
        blank=True,
        validators=[check_zone],
        help_text="IANA name; blank means the organisation's zone",
    )
    landing_view = models.ForeignKey(
        "reservations.SavedView",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="opened after the log-in; blank means the first page",
    )


class Organisation(models.Model):
    """The one row of settings that belong to the organisation as a whole."""

    name = models.CharField(max_length=120, default="Moorage")
    accounting_zone = models.CharField(
        max_length=64, default="UTC", validators=[check_zone], help_text="IANA name of the zone months are cut in"
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="organisation_is_one_row")]

    def __str__(self) -> str:
        return self.name


class Owner(models.Model):
    """A team that owns reservations or queues."""

    name = models.CharField(max_length=80, unique=True)
    email = models.EmailField(blank=True)
    fallback = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return self.name


class RoleGrant(models.Model):
    """One role of one person, for one team or, without a team, for the whole organisation."""

    user = models.ForeignKey("reservations.User", on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=16, choices=[(role.value, role.value) for role in Role])
    team = models.ForeignKey(Owner, null=True, blank=True, on_delete=models.CASCADE, related_name="grants")
    granted_at = models.DateTimeField(
        null=True, blank=True, editable=False, db_default=Now(), help_text="blank: before this was kept"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "role", "team"], name="role_granted_once", nulls_distinct=False),
            models.CheckConstraint(condition=models.Q(role__in=[role.value for role in Role]), name="role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.role} of {self.team_id or 'everything'}"
