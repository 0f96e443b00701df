"""What a configuration file says about what we hold, written to the tables of this floor."""

from reservations.services.configuration.commitments import configure_commitments
from reservations.services.configuration.people import configure_organisation, configure_owners, configure_people
from reservations.services.configuration.pools import configure_accounts, configure_pools
from reservations.services.configuration.prices import configure_prices, configure_shortages
from reservations.services.configuration.rule import configure_rule

__all__ = [
    "configure_accounts",
    "configure_commitments",
    "configure_organisation",
    "configure_owners",
    "configure_people",
    "configure_pools",
    "configure_prices",
    "configure_rule",
    "configure_shortages",
]
