"""Reservations behind pools with their upfront fees and their lives, as rows of the query that reads terms."""

import json
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.contrib.postgres.fields import DateRangeField
from django.db.models import (
    CharField,
    DateField,
    DateTimeField,
    DecimalField,
    F,
    Func,
    IntegerField,
    Q,
    TextField,
    Value,
)
from django.db.models.functions import Cast, Coalesce, Greatest, Least

from reservations.domain.block_fee import FeeSpan, extension_fees
from reservations.domain.reservation_state import State
from reservations.models import PoolMembership

FEE = "fee"
EVER, NEVER = date(1, 1, 1), date(9999, 12, 30)
_NUMBER = DecimalField(max_digits=24, decimal_places=6)


def fee_rows(pools: Q, days: tuple[date, date]) -> Any:
    """What backs pools on some of these UTC days: its fee, seconds billed and usable, instances, and its extensions."""
    began = Greatest(_bound("lower"), F("reservation__start_at"))
    ended = Least(_bound("upper"), F("reservation__end_at"))
    first, last = Coalesce(_utc_day(began), Value(EVER)), Coalesce(_utc_day(ended, before=True), Value(NEVER))
    held = Func(first, Greatest(first, last), Value("[]"), function="daterange", output_field=DateRangeField())
    usable = Coalesce(F("reservation__usable_until"), F("reservation__end_at"))
    return (
        PoolMembership.objects.filter(pools, pool_id__in=_pools_with_a_fee())
        .exclude(reservation__state=State.FAILED.value)
        .alias(begins=began, ends=ended)
        .filter(Q(begins__isnull=True) | Q(ends__isnull=True) | Q(begins__lt=F("ends")))
        .order_by()
        .annotate(
            kind=Value(FEE, CharField()),
            pool_of=F("pool_id"),
            shape=F("pool__instance_type"),
            held=held,
            currency=F("reservation__upfront_fee_currency"),
            word=Value("", CharField()),
            a=Cast(F("reservation__upfront_fee"), _NUMBER),
            b=_seconds(F("reservation__start_at"), F("reservation__end_at")),
            c=_seconds(F("reservation__start_at"), usable),
            d=Cast(F("pool__gpus_per_node"), _NUMBER),
            source=F("reservation__external_id"),
            on=Cast(Value(None), DateField()),
            m=Cast(F("reservation__total_count"), IntegerField()),
            n=Cast(Value(None), IntegerField()),
            extra=Coalesce(Cast(F("reservation__raw__CapacityBlockExtensions"), TextField()), Value("", TextField())),
        )
        .filter(held__overlap=days)
        .values_list(
            "kind",
            "pool_of",
            "shape",
            "held",
            "currency",
            "word",
            "a",
            "b",
            "c",
            "d",
            "source",
            "on",
            "m",
            "n",
            "extra",
        )
    )


def _pools_with_a_fee() -> Any:
    """Most pools were never backed by anything with a fee: nothing is derived for them, so none of it is read."""
    return PoolMembership.objects.filter(reservation__upfront_fee__isnull=False).order_by().values("pool_id")


def fee_span(shape: str, columns: list[Any]) -> FeeSpan:
    """One such row as a span."""
    held, currency, _, fee, billed, usable, gpus, name, _, instances, _, extensions = columns
    more = extension_fees(json.loads(extensions), currency=currency) if extensions else Decimal(0)
    return FeeSpan(
        start=held.lower,
        end=None if held.upper > NEVER else held.upper,
        name=name,
        fee=None if fee is None or more is None else fee + more,
        currency=currency,
        paid_hours=_hours(instances, billed),
        usable_hours=_hours(instances, usable),
        gpus_per_node=gpus,
        shape=shape,
    )


def _hours(instances: int | None, seconds: Decimal | None) -> Fraction | None:
    return None if instances is None or seconds is None else instances * Fraction(seconds) / 3600


def _bound(which: str) -> Func:
    return Func(F("period"), function=which, output_field=DateTimeField())


def _utc_day(instant: Any, *, before: bool = False) -> Func:
    """The UTC day of an instant, or of what lies just before it."""
    less = " - interval '1 microsecond'" if before else ""
    return Func(instant, template=f"((%(expressions)s{less}) AT TIME ZONE 'UTC')::date", output_field=DateField())


def _seconds(start: Any, end: Any) -> Func:
    template = "extract(epoch FROM (%(expressions)s))::numeric"
    return Func(end, start, template=template, arg_joiner=" - ", output_field=_NUMBER)
