"""Quotes and exchange rates that a person enters, each with its author and its history."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateRange
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reservations.domain.change import Change, Outcome
from reservations.models import ExchangeRate, Pool, PriceUnit
from reservations.services.audit import AuditAct, record_changes, record_event
from reservations.services.configuration.entries import PriceEntry, RateEntry
from reservations.services.configuration.prices import QUOTES
from reservations.services.effective_dating import put_dated, subject_of

REASON = "price book"


class UnableToEnter(ValueError):
    """What was typed can't be entered: ``problems`` is a sentence by field, blank for the whole."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = dict(problems)


def read_price(texts: Mapping[str, str]) -> PriceEntry:
    """A quote as somebody typed it, blank texts left out; UnableToEnter with a sentence for each field at fault."""
    return _read(PriceEntry, texts)


def read_rate(texts: Mapping[str, str]) -> RateEntry:
    """An exchange rate the same way."""
    return _read(RateEntry, texts)


@transaction.atomic
def enter_price(*, entry: PriceEntry, cut: bool, entered_by: str) -> list[Change]:
    """Store a quote; where it overlaps others, ``cut`` them to the days it leaves, else UnableToEnter names them."""
    pool = None if entry.pool is None else Pool.objects.filter(name=entry.pool).first()
    if entry.pool is not None and pool is None:
        raise UnableToEnter({"pool": f"There is no pool “{entry.pool}”."})
    subject = subject_of(pool_id=pool.pk if pool else None, shape=entry.shape)
    over = subject.quotes.filter(period__overlap=DateRange(*entry.days)).order_by("period")
    if over and not cut:
        named = ", ".join(_days(quote.period.lower, quote.period.upper) for quote in over)
        said = f"It overlaps the quote {named}: change its days, or let it take these days from what stands there."
        raise UnableToEnter({"": said})
    values = {name: getattr(entry, name) for name in QUOTES.values} | {"source": entry.source or ""}
    changes = put_dated(
        QUOTES,
        subject=subject,
        label=entry.subject,
        wanted={entry.days: values},
        entered_by=entered_by,
        reason=REASON,
    )
    record_changes(changes=changes, by=entered_by, why=REASON)
    return changes


@transaction.atomic
def enter_on_demand(
    *, shape: str, price: Decimal, currency: str, day: date, source: str, entered_by: str
) -> list[Change]:
    """Store a type's on-demand price per node-hour from a day on; the other prices that hold then stay beside it.

    Until the quote that holds on that day ends. Without effect where it says so already; UnableToEnter where it is in
    another currency or by the GPU-hour, since the prices of a quote are in one.
    """
    subject = subject_of(pool_id=None, shape=shape)
    held = subject.quotes.filter(period__contains=day).first()
    price = price.quantize(Decimal("0.000001"))
    if held is not None and (held.currency, held.unit) != (currency, PriceUnit.NODE_HOUR.value):
        said = f"The quote of {shape} is in {held.currency} per {held.unit}, and this one in {currency} per node-hour."
        raise UnableToEnter({"": said})
    if held is not None and held.on_demand == price:
        return [Change(QUOTES.kind, f"shape {shape} from {held.period.lower}", Outcome.UNCHANGED)]
    later = subject.quotes.filter(period__startswith__gt=day).order_by("period").first()
    end = held.period.upper if held is not None else later.period.lower if later is not None else None
    kept = {name: getattr(held, name) if held is not None else None for name in ("reserved", "spot", "flex")}
    said = f"{source}; before that {held.source}" if held is not None and held.source else source
    values = {"on_demand": price, **kept, "currency": currency, "unit": PriceUnit.NODE_HOUR.value, "source": said[:200]}
    changes = put_dated(
        QUOTES,
        subject=subject,
        label=f"shape {shape}",
        wanted={(day, end): values},
        entered_by=entered_by,
        reason=REASON,
    )
    record_changes(changes=changes, by=entered_by, why=REASON)
    return changes


@transaction.atomic
def enter_rate(*, entry: RateEntry, entered_by: str) -> bool:
    """Store a day's rate in place of the one that stood there; whether there was none."""
    values: dict[str, str | Decimal] = {"rate": entry.rate, "source": entry.source, "entered_by": entered_by}
    of = {"source_currency": entry.source_currency, "target_currency": entry.target_currency, "day": entry.day}
    before = ExchangeRate.objects.select_for_update().filter(**of).values("rate", "source", "entered_by").first()
    _, created = ExchangeRate.objects.update_or_create(**of, defaults=values)
    if before != values:
        ident = f"{entry.source_currency} to {entry.target_currency} on {entry.day}"
        record_event(
            what=AuditAct.PRICE_CHANGED,
            about="exchange rate",
            ident=ident,
            by=entered_by,
            before=before,
            after=values,
        )
    return created


def _read(kind: type, texts: Mapping[str, str]) -> object:
    try:
        return kind.model_validate({name: text.strip() for name, text in texts.items() if text.strip()})
    except ValidationError as refused:
        problems: dict[str, str] = {}
        for error in refused.errors(include_url=False):
            said = _sentence(error)
            problems.setdefault(str(error["loc"][0]) if error["loc"] else "", f"{said[:1].upper()}{said[1:]}.")
        raise UnableToEnter(problems) from refused


def _sentence(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    if error["type"] == "missing":
        return "it is needed"
    if error["type"] == "literal_error":
        return f"“{error['input']}” is not one of {context['expected']}"
    return str(context.get("error", error["msg"]))


def _days(start: date, end: date | None) -> str:
    return f"from {start}" + (f" to before {end}" if end else " on")
