"""The kinds of value a configuration file holds, each refused with a sentence of its own."""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from reservations.domain.currency import CURRENCIES
from reservations.domain.period import UnableToReadTime, zone

NUMBER = re.compile(r"[-+]?(\d{1,30}\.?\d{0,30}|\.\d{1,30})", re.ASCII)


class Entry(BaseModel):
    """One object of the file: no key we don't know, nothing turned from one kind of value into another."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    def written(self) -> dict[str, object]:
        """The values the file itself holds; what it leaves out is left alone."""
        return {name: getattr(self, name) for name in self.model_fields_set}


def _clean(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError(f"{text!r} holds spaces at its ends or characters that can't be printed")
    return text


def shaped(pattern: str, otherwise: str) -> AfterValidator:
    """Refuse a text of any other form; ``otherwise`` ends the sentence about it."""

    def fit(value: str) -> str:
        if not re.fullmatch(pattern, value, re.ASCII) or not value.isprintable():
            raise ValueError(f"“{value}” {otherwise}")
        return value

    return AfterValidator(fit)


def _day(value: object) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str):
        try:
            return date.fromisoformat(value) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII) else _no_day(value)
        except ValueError:
            return _no_day(value)
    return _no_day(value)


def _no_day(value: object) -> date:
    raise ValueError(f"“{value}” is not a day: write it as 2026-01-31")


def _number(least: str, most_digits: int, places: int, what: str) -> Callable[[object], Decimal]:
    floor = Decimal(least)

    def read(value: object) -> Decimal:
        if isinstance(value, bool) or not NUMBER.fullmatch(str(value)):
            raise ValueError(f"“{value}” is not a number: digits with a point, as 12.5")
        number = Decimal(str(value))
        if number < floor:
            raise ValueError(f"{what} can't be below {floor}, and this is {value}")
        if number >= Decimal(10) ** (most_digits - places) or number != round(number, places):
            kept = f"{most_digits - places} before the point, {places} after"
            raise ValueError(f"{value} has more digits than are kept: {kept}")
        return number

    return read


def _probability(value: object) -> Decimal:
    number = _number("0", 7, 6, "a probability")(value)
    if number > 1:
        raise ValueError(f"a probability is from 0 to 1, and this is {value}")
    return number


def _zone(name: str) -> str:
    try:
        zone(name)
    except UnableToReadTime as unable:
        raise ValueError(str(unable)) from unable
    return name


def _currency(code: str) -> str:
    if code not in CURRENCIES:
        raise ValueError(f"“{code}” is not a currency: use its three letters, as USD or EUR")
    return code


Text = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(_clean)]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_clean)]
Day = Annotated[date, BeforeValidator(_day)]
Price = Annotated[Decimal, BeforeValidator(_number("0", 16, 6, "a price"))]
Rate = Annotated[Decimal, BeforeValidator(_number("0.000000001", 18, 9, "a rate"))]
Probability = Annotated[Decimal, BeforeValidator(_probability)]
Amount = Annotated[Decimal, BeforeValidator(_number("0", 16, 2, "an amount"))]
Gpus = Annotated[Decimal, BeforeValidator(_number("0.0001", 8, 4, "the GPUs of a node"))]
Share = Annotated[Decimal, BeforeValidator(_number("0", 6, 5, "a share"))]
Scale = Annotated[Decimal, BeforeValidator(_number("0.000001", 12, 6, "a scale"))]
Zone = Annotated[str, AfterValidator(_zone)]
Currency = Annotated[str, AfterValidator(_currency)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
