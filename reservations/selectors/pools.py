"""Pools as other rooms and floors need them: plain rows, never models."""

from dataclasses import dataclass
from decimal import Decimal

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q, QuerySet, Value

from reservations.domain.suggestion import nearest
from reservations.models import Pool


class UnableToFindPool(LookupError):
    """No pool has this name; the message is one sentence and names the nearest one."""


@dataclass(frozen=True, slots=True)
class PoolRow:
    """One pool; ``teams`` are its owner and its queues' owners: whose grants reach it."""

    id: int
    name: str
    owner: str
    instance_type: str
    gpus_per_node: Decimal
    teams: frozenset[str]
    data_zone_id: str = ""


def pool_rows() -> list[PoolRow]:
    """Every pool by name, in one query."""
    return [_row(pool) for pool in _whole_pools().order_by("name")]


def pool_named(name: str) -> PoolRow:
    """The pool of a name; UnableToFindPool when there is none."""
    pool = _whole_pools().filter(name=name).first()
    if pool is not None:
        return _row(pool)
    names = list(Pool.objects.order_by("name").values_list("name", flat=True))
    raise UnableToFindPool(f"there is no pool “{name}”{nearest(name, names)}")


def _whole_pools() -> QuerySet[Pool]:
    owners = ArrayAgg("queues__owner__name", filter=Q(queues__isnull=False), default=Value([]))
    return Pool.objects.select_related("owner").annotate(queue_owners=owners)


def _row(pool: Pool) -> PoolRow:
    return PoolRow(
        id=pool.pk,
        name=pool.name,
        owner=pool.owner.name,
        instance_type=pool.instance_type,
        gpus_per_node=pool.gpus_per_node,
        teams=frozenset({pool.owner.name, *pool.queue_owners}),
        data_zone_id=pool.data_zone_id,
    )
