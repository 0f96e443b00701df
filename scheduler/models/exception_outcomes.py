"""What became of requests ninety days after, measured once and kept."""

from django.db import models
from django.db.models import Q


def _share() -> models.DecimalField:
    return models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)


class ExceptionOutcome(models.Model):
    """One request's claim against the ledger; null is unknown, or nothing was claimed. It is never measured again."""

    request = models.OneToOneField("reservations.ExceptionRequest", on_delete=models.PROTECT, related_name="+")
    start_at = models.DateTimeField()
    end_at = models.DateTimeField()
    measured_at = models.DateTimeField()
    hours = models.PositiveIntegerField()
    hours_known = models.PositiveIntegerField()
    claimed_share = _share()
    busy_share = _share()
    coverage_share = _share()
    mean_busy_nodes = _share()
    mean_held_nodes = _share()
    met = models.BooleanField(null=True)
    sentence = models.CharField(max_length=300)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(met__isnull=True) | Q(claimed_share__isnull=False, busy_share__isnull=False),
                name="exception_outcome_rests_on_figures",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_id}: {self.sentence}"
