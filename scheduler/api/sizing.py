"""``/sizing``: how many nodes of a pool to hold, as the command ``size`` and the page say it."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from reservations.api.callers import opens
from reservations.api.pools import visible_pool
from reservations.api.problems import NOT_FOUND, PROBLEMS, UnableToAnswerCall, not_there, unreadable
from reservations.domain.access import Action, may
from reservations.domain.period import UnableToReadTime
from reservations.domain.tokens import Scope
from reservations.selectors.organisation import accounting_zone
from scheduler.api.sizing_shapes import SizingAsked, SizingTold
from scheduler.domain.sizing.given import AMOUNTS, COUNTS, read_given
from scheduler.domain.sizing.growth_text import growth_lines
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Answer, Manner, answer_of
from scheduler.domain.sizing.when import months_period, read_last_month, read_months
from scheduler.selectors.sizing import pool_facts
from scheduler.tables.sizing.told import sizing_told

router = Router()

TEXTS = (*AMOUNTS, *COUNTS, "shortage_convention", "term_from", "term_to")


@router.get(
    "/sizing",
    response={200: SizingTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_POOLS),
    tags=["sizing"],
    by_alias=True,
    summary="How many nodes to hold",
)
def sizing(request: HttpRequest, asked: Query[SizingAsked]) -> dict[str, Any]:
    """What the command `size` says of a pool's months, under the same names.

    Prices, q and L come from the records where they are not given; without a role that includes prices they have to be.
    Needs the scope `read:pools`.
    """
    person, as_of, zone = request.auth.person, timezone.now(), accounting_zone()
    pool = visible_pool(person, asked.pool)
    prices = may(person, Action.SEE_PRICES, pool.teams)
    try:
        period = months_period(read_last_month(asked.month, zone, as_of), read_months(asked.months), zone)
        given = read_given(
            {name: getattr(asked, name) for name in TEXTS}, overflow=asked.overflow, workloads=asked.workload
        )
        if not prices and None in (given.on_demand, given.reserved):
            raise unreadable("on_demand", "Your roles do not include prices: give both, on_demand and reserved.")
        facts = pool_facts(pool=pool, period=period, as_of=as_of, prices=prices)
        if not facts.trace.hours:
            raise not_there(f"The ledger has no hour of demand of {pool.name} in that time.")
        typed = growth_lines(asked.growth, name="growth", headed=False)
        growth = () if asked.grow == "off" else (*facts.growth, *typed)
        manner = Manner(asked.allow_short, asked.draws, asked.seed)
        answer: Answer = answer_of(facts.trace, given, facts.known, growth=growth, manner=manner)
    except (UnableToSize, UnableToReadTime) as unable:
        raise _unreadable(unable) from unable
    return sizing_told(answer, pool=pool.name)


def _unreadable(unable: Exception) -> UnableToAnswerCall:
    text = str(unable)
    sentence = f"{text[0].upper()}{text[1:].removesuffix('.')}."
    return UnableToAnswerCall(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)
