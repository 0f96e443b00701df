"""``/recommendations``: what is recommended about each pool, as the command ``recommend`` and the page say it."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from reservations.api.callers import opens
from reservations.api.pools import visible_pool
from reservations.api.problems import NOT_FOUND, PROBLEMS
from reservations.domain.access import Action, may
from reservations.domain.tokens import Scope
from reservations.selectors.pools import pool_rows
from scheduler.api.recommendation_shapes import RecommendationsAsked, RecommendationsTold
from scheduler.selectors.recommendations import recommendations_in_force
from scheduler.tables.recommendations.told import recommendation_told

router = Router()


@router.get(
    "/recommendations",
    response={200: RecommendationsTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_POOLS),
    tags=["recommendations"],
    summary="What to do about each pool",
)
def recommendations(request: HttpRequest, asked: Query[RecommendationsAsked]) -> dict[str, Any]:
    """The newest recommendation of each pool that the caller may see, most money first.

    `saving` and `regret` are null for a role that does not include prices. Needs the scope `read:pools`.
    """
    person = request.auth.person
    pools = (
        [visible_pool(person, asked.pool)]
        if asked.pool
        else [pool for pool in pool_rows() if may(person, Action.SEE_POOL, pool.teams)]
    )
    rows = recommendations_in_force(pools=pools)
    sees = {row.id: may(person, Action.SEE_PRICES, row.pool.teams) for row in rows}
    if not all(sees.values()):
        rows.sort(key=lambda row: (not row.open, row.pool.name))
    return {"recommendations": [recommendation_told(row, prices=sees[row.id]) for row in rows]}
