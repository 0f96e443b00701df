"""How a stored row looks, field by field, as an event of the trail tells it."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from django.db.backends.postgresql.psycopg_any import Range
from django.db.models import Model

SECRET = re.compile(r"passw|secret|token|sealed|hash$|credential|api_?key", re.IGNORECASE)
"""Fields of which an event tells that they are set, and never to what."""

SECRET_OF = frozenset({("account", "external_id"), ("authenticator", "data"), ("socialaccount", "extra_data")})
"""Fields that are secret of one kind of object alone."""

PASSWORD_IN_ADDRESS = re.compile(r"(?<=://)[^/\s@]*:[^/\s@]*(?=@)")

HIDDEN = "[hidden]"
HIDDEN_CHANGED = "[hidden, changed]"
PLAIN = (str, int, float, Decimal, datetime, date, time, timedelta, UUID, Enum, type(None))


def row_state(row: Model) -> dict[str, object]:
    """The fields of a row by name; what a field points at stands as its number, secrets are hidden."""
    names = [field.attname for field in row._meta.concrete_fields]
    return {name: shown(name, getattr(row, name), of=str(row._meta.model_name)) for name in names}


def stated(values: Mapping[str, object] | None, *, of: str = "") -> dict[str, object] | None:
    """Values of one kind of object as an event can tell them: a row by its name, a range by its ends, no secrets."""
    return None if values is None else {name: shown(name, value, of=of) for name, value in values.items()}


def shown(name: str, value: object, *, of: str = "") -> object:
    """One value under one name of a kind of object."""
    if value and (SECRET.search(name) or (of, name) in SECRET_OF):
        return HIDDEN
    return _plain(value)


def differing(
    before: Mapping[str, object] | None, after: Mapping[str, object] | None
) -> tuple[dict[str, object] | None, dict[str, object] | None]:
    """Only the fields that differ, where something stood before and stands after."""
    if before is None or after is None:
        return (None if before is None else dict(before)), (None if after is None else dict(after))
    names = [name for name in after if before.get(name) != after[name]]
    return {name: before.get(name) for name in names}, {name: after[name] for name in names}


def changed_state(
    before: Model | None, after: Model | None
) -> tuple[dict[str, object] | None, dict[str, object] | None]:
    """What of a row differs, as ``differing`` tells it, and also which hidden fields do: that, and not what to."""
    was, is_now = (None if row is None else row_state(row) for row in (before, after))
    told = differing(was, is_now)
    for name, value in (is_now or {}).items():
        if value == HIDDEN and was and was[name] == HIDDEN and getattr(before, name) != getattr(after, name):
            told[0][name], told[1][name] = HIDDEN, HIDDEN_CHANGED
    return told


def _plain(value: Any) -> object:
    if isinstance(value, str) and not isinstance(value, Enum):
        return PASSWORD_IN_ADDRESS.sub(HIDDEN, value)
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, Model):
        return str(value)
    if isinstance(value, Range):
        return {"from": value.lower, "to": value.upper}
    if isinstance(value, Mapping):
        return {str(name): shown(str(name), inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner) for inner in value]
    if isinstance(value, bytes | memoryview):
        return f"{len(value)} bytes"
    return str(value)
