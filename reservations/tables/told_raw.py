"""The provider's own fields as it names them, for who wants to compare."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

_OF_MONEY = re.compile(r"fee|price|amount|currency|cost", re.I)
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Raw:
    """Names and values in the order they came; ``hidden`` are about money and not for this person."""

    fields: tuple[tuple[str, str], ...]
    hidden: int


def told_raw(raw: Mapping[str, object], *, see_prices: bool) -> Raw:
    """Each field as text; whatever holds money is left out for who may not see prices."""
    shown = {name: value for name, value in raw.items() if see_prices or not _holds_money(name, value)}
    fields = tuple((name, _text(value)) for name, value in sorted(shown.items()))
    return Raw(fields, len(raw) - len(shown))


def _holds_money(name: str, value: object) -> bool:
    return bool(
        _OF_MONEY.search(name) or (not isinstance(value, str) and _OF_MONEY.search(json.dumps(value, default=str)))
    )


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
