"""A state before or after an act as text, which the audit trail hashes: equal states give equal characters."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite
from uuid import UUID


def state_text(state: Mapping[str, object] | None) -> str:
    """A state before or after an act as JSON text: the same state gives the same characters; None gives none.

    Decimals keep their digits as text, times are UTC, sets are in order; a TypeError for what has no such form.
    """
    if state is None:
        return ""
    return json.dumps(_plain(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def kept_text(text: str) -> str:
    """A text as the database can keep it: what it refuses (NUL, halves of surrogate pairs) is spelt out."""
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return kept_text(str(value))
    if isinstance(value, Mapping):
        return {kept_text(str(_plain(key))): _plain(inner) for key, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(inner) for inner in value), key=lambda inner: json.dumps(inner, sort_keys=True))
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return _plain_scalar(value)


def _plain_scalar(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat() if value.tzinfo is None else value.astimezone(UTC).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return f"{value.total_seconds():.6f} s"
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() else str(value)
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"a {type(value).__name__} has no form in the audit trail")
