"""Demand that is known to come or go, as somebody committed to it (docs/demand.md#committed-growth)."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q, Value

MOST_NODES = 100_000


class CommittedGrowth(models.Model):
    """Nodes more (or fewer, below 0) that a pool needs on some UTC days; blank ``workload``: a workload of its own."""

    pool = models.ForeignKey("reservations.Pool", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    period = DateRangeField(help_text="UTC days, half-open; without an end the line stays open")
    workload = models.CharField(max_length=16, blank=True)
    nodes = models.DecimalField(max_digits=10, decimal_places=4)
    source = models.CharField(max_length=200, blank=True, help_text="who committed to it, and where that stands")
    entered_by = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name_plural = "committed growth"
        ordering = ("pool", "period", "name")
        constraints = [
            ExclusionConstraint(
                name="one_growth_of_a_name_at_a_time",
                expressions=[
                    (
                        Func(F("pool_id"), F("pool_id"), Value("[]"), function="int8range"),
                        RangeOperators.OVERLAPS,
                    ),
                    (
                        Func(
                            Func(F("name"), function="hashtext"),
                            Func(F("name"), function="hashtext"),
                            Value("[]"),
                            function="int8range",
                        ),
                        RangeOperators.OVERLAPS,
                    ),
                    ("period", RangeOperators.OVERLAPS),
                ],
            ),
            models.CheckConstraint(
                condition=Q(nodes__gte=-MOST_NODES, nodes__lte=MOST_NODES) & ~Q(nodes=0),
                name="growth_adds_or_takes_nodes",
            ),
            models.CheckConstraint(
                condition=Q(period__startswith__isnull=False, period__isempty=False), name="growth_has_a_first_day"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="growth_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.nodes}"
