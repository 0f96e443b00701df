"""Exchange rates that were entered, as domain rates."""

from collections.abc import Collection
from datetime import date

from reservations.domain.exchange import Rate
from reservations.models import ExchangeRate


def rates_between(*, currencies: Collection[str], first: date, following: date) -> list[Rate]:
    """The rates among some currencies of the days ``[first, following)``, in one query."""
    found = ExchangeRate.objects.filter(
        source_currency__in=currencies, target_currency__in=currencies, day__gte=first, day__lt=following
    )
    return [_rate(row) for row in found]


def latest_rates(*, limit: int) -> list[Rate]:
    """The rates of the latest days, newest first."""
    return [_rate(row) for row in ExchangeRate.objects.order_by("-day", "source_currency", "target_currency")[:limit]]


def _rate(row: ExchangeRate) -> Rate:
    said = ", ".join(text for text in (row.source, row.entered_by and f"entered by {row.entered_by}") if text)
    return Rate(row.source_currency, row.target_currency, row.day, row.rate, said)
