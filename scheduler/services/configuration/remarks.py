"""What is odd in a configuration file but no error, in words."""

from collections.abc import Iterator

from reservations.services.configuration.entries import PriceEntry
from scheduler.services.configuration.document import Document


def remarks(document: Document) -> list[str]:
    """One sentence for each price that breaks even never or of which nothing is known."""
    return [said for entry in document.prices.values() for said in _about_price(entry)]


def _about_price(entry: PriceEntry) -> Iterator[str]:
    label = f"price of {entry.subject} from {entry.start}"
    for name, price in (("on-demand", entry.on_demand), ("reserved", entry.reserved)):
        if price is None:
            yield f"{label}: the {name} price is not written, so what depends on it stays unknown"
        elif price == 0:
            yield f"{label}: the {name} price is 0; leave it out if it is unknown"
    if entry.reserved and entry.on_demand and entry.reserved >= entry.on_demand:
        yield f"{label}: reserved ({entry.reserved}) is not below on-demand ({entry.on_demand}), so it can never pay"
