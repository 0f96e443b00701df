"""What one hour of one pool is worth, for somebody who may see its prices."""

from datetime import datetime

from reservations.domain.access import Action, Person, may
from reservations.domain.period import hour_period
from reservations.selectors.pools import PoolRow
from reservations.selectors.prices import quotes_during
from telemetry.domain.totals import Totals
from telemetry.domain.worth import Worth, no_worth, worth_of


def hour_worth(*, pool: PoolRow, hour: datetime, totals: Totals, person: Person) -> Worth:
    """The hour's totals at the price of its day, in two queries; without amounts, and why, where there are none."""
    if not may(person, Action.SEE_PRICES, pool.teams):
        return no_worth("your role does not include prices.")
    prices = quotes_during(pool_id=pool.id, period=hour_period(hour))
    return worth_of([(hour, totals)], prices=prices, gpus_per_node=pool.gpus_per_node)
