"""Thresholds of rules: how each is declared with its reason and bounds, read as it was written, and shown."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any, TypeVar, cast, get_type_hints

from reservations.domain.notation import grouped
from reservations.domain.suggestion import nearest
from scheduler.domain.alert.finding import Rule

Value = timedelta | Decimal | int
T = TypeVar("T")

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
_UNITS = {"min": MINUTE, "h": HOUR, "d": DAY}
_LENGTH = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*(min|h|d)")
_NO_BREAK = re.compile(r"[\u202f\u00a0]")


class UnableToReadThreshold(ValueError):
    """What was written is no value of a threshold; the message is one sentence."""


class UnableToFindThreshold(LookupError):
    """There is no rule, or none of its thresholds has this name; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Why:
    """Stands beside a threshold's type (``Annotated``): why its default is what it is, and between what it may lie."""

    reason: str
    least: Value
    most: Value


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold of a rule: a length of time, a share (Decimal) or a count (int)."""

    name: str
    default: Value
    why: Why

    @property
    def kind(self) -> str:
        """``length``, ``share`` or ``count``."""
        if isinstance(self.default, timedelta):
            return "length"
        return "share" if isinstance(self.default, Decimal) else "count"


def thresholds_of(defaults: Any) -> tuple[Threshold, ...]:
    """The thresholds of a rule, in the order of their declaration."""
    hints = get_type_hints(type(defaults), include_extras=True)
    return tuple(
        Threshold(
            one.name,
            cast(Value, one.default),
            next(why for why in hints[one.name].__metadata__ if isinstance(why, Why)),
        )
        for one in fields(defaults)
    )


def rule_named(rules: Iterable[Rule[Any, Any]], name: str) -> Rule[Any, Any]:
    """The rule of a name; UnableToFindThreshold, with the nearest name, when there is none."""
    by_name = {rule.name: rule for rule in rules}
    if name not in by_name:
        raise UnableToFindThreshold(f"there is no rule “{name}”{nearest(name, list(by_name))}")
    return by_name[name]


def threshold_named(defaults: Any, name: str) -> Threshold:
    """The threshold of a name; UnableToFindThreshold, with the nearest name, when there is none."""
    by_name = {one.name: one for one in thresholds_of(defaults)}
    if name not in by_name:
        raise UnableToFindThreshold(f"there is no threshold “{name}”{nearest(name, list(by_name))}")
    return by_name[name]


def read(written: str, one: Threshold) -> Value:
    """A value as people write it: ``90 min``, ``24 h``, ``15 %``, ``3``; UnableToReadThreshold when it is none."""
    text = _NO_BREAK.sub("", written).strip()
    value = _read(text, one)
    least, most = one.why.least, one.why.most
    if not least <= value <= most:  # type: ignore[operator]
        raise UnableToReadThreshold(f"{one.name} must lie between {shown(least)} and {shown(most)}, not at {text}")
    return value


def _read(text: str, one: Threshold) -> Value:
    if isinstance(one.default, timedelta):
        match = _LENGTH.fullmatch(text)
        if match is None:
            raise UnableToReadThreshold(f"{one.name} is a length of time, such as {shown(one.default)}: not “{text}”")
        return float(match[1]) * _UNITS[match[2]]
    if isinstance(one.default, int):
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise UnableToReadThreshold(f"{one.name} is a whole number, such as {one.default}: not “{text}”")
        return int(text)
    number, per_cent = text.removesuffix("%").strip(), text.endswith("%")
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", number):
        raise UnableToReadThreshold(f"{one.name} is a share, such as {shown(one.default)}: not “{text}”")
    return Decimal(number) / 100 if per_cent else Decimal(number)


def shown(value: Value) -> str:
    """A value as people write it: ``90 min``, ``24 h``, ``14 d``, ``15 %``, ``3``."""
    if isinstance(value, timedelta):
        return _length(value)
    if isinstance(value, Decimal):
        return f"{(value * 100).normalize():f} %"
    return grouped(value)


def _length(value: timedelta) -> str:
    if value >= 2 * DAY and not value % DAY:
        return f"{value // DAY} d"
    if value > HOUR and not value % HOUR:
        return f"{value // HOUR} h"
    return f"{Decimal(str(value / MINUTE)).normalize():f} min"


def with_values(defaults: T, written: Mapping[str, str]) -> T:
    """The defaults with what was set otherwise; a name or a value that is no more understood leaves its default."""
    known = {one.name: one for one in thresholds_of(defaults)}
    values: dict[str, Value] = {}
    for name, text in written.items():
        try:
            if name in known and text:
                values[name] = read(text, known[name])
        except UnableToReadThreshold:
            continue
    return replace(defaults, **values) if values else defaults  # type: ignore[type-var]
