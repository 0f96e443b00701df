"""Fields of a scenario, read strictly: what is not exactly as it must be gets a sentence that names it."""

import math
from collections.abc import Mapping, Sequence

MOST = 10**9
"""The largest whole number a scenario may hold: room for any fleet, and whatever counts with it fits a machine word."""

SMALLEST_NUMBER, LARGEST_NUMBER = 1e-6, 1e9
"""Numbers outside of these drown in rounding whatever they are added to or multiplied with."""

ECHOED = 40


class IllegalScenario(ValueError):
    """A scenario that the model has no meaning for; the message is one sentence that names the job and the field."""


def shown(value: object) -> str:
    """``value`` as a sentence may quote it, short whatever it is."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            text = value if len(value) <= ECHOED else f"{value[:ECHOED]}…"
            return '"' + "".join(letter if letter.isprintable() else "?" for letter in text) + '"'
        case int():
            return f"{value:,}" if value.bit_length() <= 64 else "a number of more than 19 digits"
        case float():
            return repr(value)
        case Mapping():
            return "an object"
        case list() | tuple():
            return "a list"
        case _:
            return "something that JSON does not know"


def whole(owner: str, field: str, value: object, least: int, most: int = MOST) -> int:
    """``value``, if it is a whole number from ``least`` to ``most``; 3.0 and true are none."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise IllegalScenario(
        f'{owner}: "{field}" is {shown(value)}, where a whole number from {least:,} to {most:,} is due.'
    )


def number(
    owner: str, field: str, value: object, least: float = SMALLEST_NUMBER, most: float = LARGEST_NUMBER
) -> float:
    """``value`` as a float, if it is a finite number from ``least`` to ``most``."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, int | float) and is_number and least <= value <= most and math.isfinite(value):
        return float(value)
    raise IllegalScenario(f'{owner}: "{field}" is {shown(value)}, where a number from {least:,g} to {most:,g} is due.')


def choice(owner: str, field: str, value: object, known: tuple[str, ...]) -> str:
    """``value``, if it is one of the words ``known``."""
    if isinstance(value, str) and value in known:
        return value
    raise IllegalScenario(f'{owner}: "{field}" is {shown(value)}, where one of {", ".join(known)} is due.')


def wholes(owner: str, field: str, value: object, least: int, most: int = MOST) -> tuple[int, ...]:
    """``value``, if it is a list of whole numbers from ``least`` to ``most``."""
    values = listed(owner, field, value)
    return tuple(
        one if type(one) is int and least <= one <= most else whole(owner, f"{field}[{at}]", one, least, most)
        for at, one in enumerate(values)
    )


def listed(owner: str, field: str, value: object) -> Sequence[object]:
    """``value``, if it is a list."""
    if isinstance(value, list | tuple):
        return value
    raise IllegalScenario(f'{owner}: "{field}" is {shown(value)}, where a list is due.')


def fields(owner: str, value: object, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, object]:
    """The fields of an object that has all of ``needed``, perhaps some of ``optional``, and no other."""
    if not isinstance(value, Mapping):
        raise IllegalScenario(f"{owner}: is {shown(value)}, where an object is due.")
    known = (*needed, *optional)
    for name in value:
        if name not in known:
            raise IllegalScenario(f"{owner}: there is no field {shown(name)}; the fields are {', '.join(known)}.")
    for name in needed:
        if name not in value:
            raise IllegalScenario(f'{owner}: "{name}" is missing.')
    return dict(value)
