"""Committed growth of a pool as sizing reads it."""

from scheduler.domain.sizing.growth import GrowthLine
from scheduler.models import CommittedGrowth


def committed_growth(*, pool_id: int) -> tuple[GrowthLine, ...]:
    """Every line of one pool by its first day and name, in one query."""
    lines = CommittedGrowth.objects.filter(pool_id=pool_id).order_by("period", "name")
    return tuple(
        GrowthLine(line.name, line.period.lower, line.period.upper, line.nodes, workload=line.workload)
        for line in lines
    )
