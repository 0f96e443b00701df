"""What a provider lists on demand, proposed for the price book and stored only where somebody says so."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from reservations.domain.change import Change
from reservations.services.price_book import UnableToEnter, enter_on_demand
from telemetry.domain.price_offer import PriceOffer, PriceQuestion, UnableToFetchPrice
from telemetry.sources import price_list


@dataclass(frozen=True, slots=True)
class ProposedPrice:
    """An offer, and what became of the book; no changes: it was only looked at."""

    offer: PriceOffer
    source: str
    changes: tuple[Change, ...]


def fetch_prices(
    *, question: PriceQuestion, fetched_on: date, write: bool, entered_by: str, client: Any = None
) -> ProposedPrice:
    """The on-demand price of a type today, and with ``write`` a quote of it from this day on.

    UnableToFetchPrice where there is none, or where the book holds it in another currency or unit.
    """
    offer = price_list.fetch(question, session=client or price_list.pricing_client(question))
    source = offer.source(fetched_on)
    if not write:
        return ProposedPrice(offer, source, ())
    try:
        changes = enter_on_demand(
            shape=offer.shape,
            price=offer.on_demand,
            currency=offer.currency,
            day=fetched_on,
            source=source,
            entered_by=entered_by,
        )
    except UnableToEnter as unable:
        raise UnableToFetchPrice(str(unable)) from unable
    return ProposedPrice(offer, source, tuple(changes))
