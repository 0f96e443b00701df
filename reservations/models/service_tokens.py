from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from reservations.domain.tokens import LONGEST_LIFE, SERVICE_ROLES, SERVICE_SCOPES, SHOWN


class ServiceToken(models.Model):
    """A secret of a program of its own, which a team answers for and behind which no person stands."""

    name = models.CharField(max_length=80)
    owner = models.ForeignKey("reservations.Owner", on_delete=models.PROTECT, related_name="service_tokens")
    role = models.CharField(max_length=16, choices=[(role.value, role.value) for role in SERVICE_ROLES])
    whole_organisation = models.BooleanField(default=False, help_text="else its role is for the objects of its team")
    prefix = models.CharField(max_length=SHOWN, help_text="how the secret begins, to tell tokens apart")
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=32))
    made_by = models.CharField(max_length=150, help_text="the log-in at that time")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="to about ten minutes")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at"), expires_at__lte=F("created_at") + LONGEST_LIFE),
                name="service_token_lives_a_year_at_most",
            ),
            models.CheckConstraint(
                condition=Q(scopes__len__gt=0, scopes__contained_by=[scope.value for scope in SERVICE_SCOPES]),
                name="service_token_scopes_are_known",
            ),
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in SERVICE_ROLES]), name="service_token_never_approves"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.name}"
