"""An on-demand price as a provider lists it, to be proposed for the price book."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class PriceQuestion:
    """Which instance type's price is asked for, and where it would be launched; ``endpoint_url`` blank: AWS's own."""

    shape: str
    region: str
    endpoint_url: str = ""


@dataclass(frozen=True, slots=True)
class PriceOffer:
    """What an instance of one type costs per hour on demand, and the provider's own words and number for it."""

    shape: str
    region: str
    on_demand: Decimal
    currency: str
    sku: str
    described: str
    effective_from: str

    def source(self, fetched_on: date) -> str:
        """What a quote made of it says of where it comes from."""
        return f"AWS Price List, fetched {fetched_on.isoformat()}"


class UnableToFetchPrice(Exception):
    """No price could be fetched; the message is one sentence that names what to mend."""
