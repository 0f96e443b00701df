"""Committed growth of a pool as sizing reads it."""

from collections import defaultdict
from collections.abc import Collection

from scheduler.domain.sizing.growth import GrowthLine
from scheduler.models import CommittedGrowth


def committed_growth(*, pool_id: int) -> tuple[GrowthLine, ...]:
    """Every line of one pool by its first day and name, in one query."""
    return growth_by_pool(pool_ids=[pool_id]).get(pool_id, ())


def growth_by_pool(*, pool_ids: Collection[int]) -> dict[int, tuple[GrowthLine, ...]]:
    """The same of several pools, in one query; a pool without any is left out."""
    found: defaultdict[int, list[GrowthLine]] = defaultdict(list)
    for line in CommittedGrowth.objects.filter(pool_id__in=pool_ids).order_by("period", "name"):
        found[line.pool_id].append(
            GrowthLine(line.name, line.period.lower, line.period.upper, line.nodes, workload=line.workload)
        )
    return {pool_id: tuple(lines) for pool_id, lines in found.items()}
