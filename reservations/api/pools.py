"""``/pools`` and ``/pools/{name}``: the pools a caller may see."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from reservations.api.callers import opens
from reservations.api.problems import NOT_FOUND, PROBLEMS, not_there
from reservations.api.shapes import Number, PageAsked, PageTold, page_of
from reservations.domain.access import Action, Person, may
from reservations.domain.tokens import Scope
from reservations.selectors.pools import PoolRow, pool_rows

router = Router(tags=["pools"])


class PoolTold(Schema):
    """The nodes of one instance type that one or more reservations back."""

    name: str = Field(examples=["serve-h100"])
    owner: str = Field(description="the team that answers for it", examples=["serving"])
    instance_type: str = Field(examples=["p5.48xlarge"])
    gpus_per_node: Number = Field(description="physical GPUs of one node", examples=[8])
    teams: list[str] = Field(description="its owner and its queues' owners: who may see it", examples=[["serving"]])


class PoolPage(PageTold):
    rows: list[PoolTold]


@router.get(
    "/pools", response={200: PoolPage, **PROBLEMS}, auth=opens(Scope.READ_POOLS), summary="The pools you may see"
)
def pools(request: HttpRequest, asked: Query[PageAsked]) -> dict[str, Any]:
    """By name. Needs the scope `read:pools`."""
    seen = visible_pools(request.auth.person)
    return page_of([_told(pool) for pool in seen[asked.offset : asked.offset + asked.limit]], len(seen), asked)


@router.get(
    "/pools/{path:name}",
    response={200: PoolTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_POOLS),
    summary="One pool",
)
def pool(request: HttpRequest, name: str) -> dict[str, Any]:
    """A pool you may not see is answered as one that does not exist. Needs the scope `read:pools`."""
    return _told(visible_pool(request.auth.person, name))


def visible_pools(person: Person) -> list[PoolRow]:
    """Every pool somebody may see, by name."""
    return [row for row in pool_rows() if may(person, Action.SEE_POOL, row.teams)]


def visible_pool(person: Person, name: str) -> PoolRow:
    """The pool of a name; UnableToAnswerCall in the same words when there is none and when it is not theirs."""
    for row in visible_pools(person):
        if row.name == name:
            return row
    raise not_there(f"There is no pool “{name}”, or it belongs to a team whose pools you may not see.")


def _told(pool: PoolRow) -> dict[str, Any]:
    return {
        "name": pool.name,
        "owner": pool.owner,
        "instance_type": pool.instance_type,
        "gpus_per_node": pool.gpus_per_node,
        "teams": sorted(pool.teams),
    }
