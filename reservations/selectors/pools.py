"""Pools as other rooms and floors need them: plain rows, never models."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q, QuerySet, Value

from reservations.domain.access import Action, Person, may
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
    spare_nodes: int = 0
    generation: str = ""
    useful_until: date | None = None


def pool_rows() -> list[PoolRow]:
    """Every pool by name, in one query."""
    return [_row(*told) for told in _told(Pool.objects.order_by("name"))]


def pool_named(name: str) -> PoolRow:
    """The pool of a name; UnableToFindPool when there is none."""
    for told in _told(Pool.objects.filter(name=name)):
        return _row(*told)
    names = list(Pool.objects.order_by("name").values_list("name", flat=True))
    raise UnableToFindPool(f"there is no pool “{name}”{nearest(name, names)}")


def pool_seen(name: str, person: Person) -> PoolRow:
    """The pool of a name that a person may see; UnableToFindPool otherwise, naming none but such."""
    seen = {row.name: row for row in pool_rows() if may(person, Action.SEE_POOL, row.teams)}
    if name not in seen:
        raise UnableToFindPool(f"there is no pool “{name}” that you may see{nearest(name, seen)}")
    return seen[name]


def _told(pools: QuerySet[Pool]) -> QuerySet[Pool, tuple[Any, ...]]:
    owners = ArrayAgg("queues__owner__name", filter=Q(queues__isnull=False), default=Value([]))
    return pools.annotate(queue_owners=owners).values_list(
        "pk",
        "name",
        "owner__name",
        "instance_type",
        "gpus_per_node",
        "data_zone_id",
        "spare_nodes",
        "gpu_generation",
        "useful_until",
        "queue_owners",
    )


def _row(
    pk: int,
    name: str,
    owner: str,
    instance_type: str,
    gpus: Decimal,
    data_zone_id: str,
    spare_nodes: int,
    generation: str,
    useful_until: date | None,
    queue_owners: Iterable[str],
) -> PoolRow:
    return PoolRow(
        id=pk,
        name=name,
        owner=owner,
        instance_type=instance_type,
        gpus_per_node=gpus,
        teams=frozenset({owner, *queue_owners}),
        data_zone_id=data_zone_id,
        spare_nodes=spare_nodes,
        generation=generation,
        useful_until=useful_until,
    )
