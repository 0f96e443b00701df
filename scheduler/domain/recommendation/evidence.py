"""Evidence in one canonical form, so that the same evidence has the same hash wherever and whenever it is written."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from hashlib import sha256

from telemetry.domain.demand import DemandTrace


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no blanks and no floats: amounts as texts without idle noughts, instants in UTC.

    TypeError for what has no canonical form.
    """
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def evidence_hash(text: str) -> str:
    """SHA-256 of canonical JSON, as 64 hex digits."""
    return sha256(text.encode()).hexdigest()


def trace_digest(trace: DemandTrace) -> str:
    """SHA-256 over every hour's workloads and nodes, in order."""
    lines = (
        f"{hour.astimezone(UTC):%Y-%m-%dT%H}\t{name}\t{_digits(trace.by_workload[name][at])}"
        for at, hour in enumerate(trace.hours)
        for name in sorted(trace.by_workload)
    )
    return sha256("\n".join(lines).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return _scalar(value)


def _scalar(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Decimal):
        return _digits(value)
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no canonical form")


def _digits(value: Decimal) -> str:
    if not value.is_finite():
        raise TypeError(f"{value} has no canonical form")
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
