from django.db import models
from django.db.models.functions import Now

from reservations.domain.site_path import LONGEST


class SavedView(models.Model):
    """An address of this site under a name; what it shows is decided anew by who opens it."""

    owner = models.ForeignKey("reservations.User", on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=80)
    path = models.CharField(max_length=LONGEST)
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="saved_view_named_once"),
            models.CheckConstraint(condition=models.Q(path__regex=r"^/([^/\\]|$)"), name="saved_view_stays_here"),
        ]

    def __str__(self) -> str:
        return self.name
