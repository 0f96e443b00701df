from django.db import models
from simple_history.models import HistoricalRecords


class ExchangeRate(models.Model):
    """How much of one currency a unit of another was worth on a day, as somebody entered it."""

    source_currency = models.CharField(max_length=3, help_text="from")
    target_currency = models.CharField(max_length=3, help_text="to")
    day = models.DateField()
    rate = models.DecimalField(max_digits=18, decimal_places=9)
    source = models.CharField(max_length=200)
    entered_by = models.CharField(max_length=150, blank=True)
    history = HistoricalRecords()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source_currency", "target_currency", "day"], name="one_exchange_rate_a_day"
            ),
            models.CheckConstraint(condition=models.Q(rate__gt=0), name="exchange_rate_is_above_0"),
            models.CheckConstraint(
                condition=~models.Q(source_currency=models.F("target_currency")), name="exchange_rate_joins_two"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_currency} to {self.target_currency} on {self.day}"
