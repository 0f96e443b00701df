"""What one hour of one pool is worth, for somebody who may see its prices."""

from datetime import datetime

from reservations.domain.access import Action, Person, may
from reservations.domain.period import hour_period
from reservations.domain.terms import Terms
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import terms_of_shapes
from telemetry.domain.totals import Totals
from telemetry.domain.worth import Worth, no_worth, worth_of


def hour_worth(*, pool: PoolRow, hour: datetime, totals: Totals, person: Person) -> Worth:
    """The hour's totals at the price of its day, in one query; without amounts, and why, where there are none."""
    if not may(person, Action.SEE_PRICES, pool.teams):
        return no_worth("your role does not include prices.")
    terms = terms_of_shapes(shapes={pool.id: pool.instance_type}, period=hour_period(hour))
    return worth_of([(hour, totals)], terms=terms.get(pool.id, Terms()), gpus_per_node=pool.gpus_per_node)
