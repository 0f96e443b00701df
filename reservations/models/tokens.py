from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from reservations.domain.tokens import LONGEST_LIFE, SHOWN, Scope


class AccessToken(models.Model):
    """A person's secret for programs; only its hash is kept, so nobody can read it again."""

    user = models.ForeignKey("reservations.User", on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=SHOWN, help_text="how the secret begins, to tell tokens apart")
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=32))
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="to about ten minutes")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at"), expires_at__lte=F("created_at") + LONGEST_LIFE),
                name="token_lives_a_year_at_most",
            ),
            models.CheckConstraint(
                condition=Q(scopes__len__gt=0, scopes__contained_by=[scope.value for scope in Scope]),
                name="token_scopes_are_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.user_id}"
