"""What the ledger must know of pools and their queues, in two queries."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count

from reservations.domain.held import PoolShape
from reservations.models import Pool, Queue


@dataclass(frozen=True, slots=True)
class QueueOwner:
    """The team behind a cluster queue and what it runs."""

    team: str
    workload: str


def pool_shapes(*, pool_ids: Collection[int]) -> dict[int, PoolShape]:
    """GPUs per node, flavor and cluster queues of some pools, by pool id."""
    return {
        pool.pk: PoolShape(
            name=pool.name,
            gpus_per_node=pool.gpus_per_node,
            flavor=pool.flavor,
            queues=tuple(sorted(queue.cluster_queue for queue in pool.queues.all())),
        )
        for pool in Pool.objects.filter(pk__in=pool_ids).prefetch_related("queues")
    }


def queue_owners(*, pool_id: int) -> dict[str, QueueOwner]:
    """The team and workload of each cluster queue of a pool, by the queue's name."""
    rows = Queue.objects.filter(pool_id=pool_id).values_list("cluster_queue", "owner__name", "workload")
    return {name: QueueOwner(team, workload) for name, team, workload in rows}


def queues_of_several_pools() -> frozenset[str]:
    """The cluster queues that more than one pool names."""
    named = Queue.objects.values("cluster_queue").annotate(pools=Count("pool")).filter(pools__gt=1)
    return frozenset(named.values_list("cluster_queue", flat=True))
