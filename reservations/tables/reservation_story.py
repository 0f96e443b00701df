"""One reservation in sentences: what it is, how long it still works, who changed what."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from urllib.parse import quote

from reservations.domain import notation
from reservations.domain.held_now import ReservationRow
from reservations.domain.reservation_state import State
from reservations.domain.row_history import Changed
from reservations.tables.listing import number, size

NOBODY = "nobody"
FIELD_NAMES = {
    "owner": "owner",
    "instance_type": "instance type",
    "gpus_per_instance": "GPUs per instance",
    "zone": "zone",
    "start": "start",
    "end": "end",
    "usable_until": "usable until",
    "upfront_fee": "upfront fee",
    "currency": "currency",
    "state": "state",
    "sizes": "sizes",
    "pool": "pool",
}


@dataclass(frozen=True, slots=True)
class ToldChange:
    """One line of who changed what: ``before`` → ``after``, or a sentence alone."""

    at: datetime
    who: str
    what: str
    before: str = ""
    after: str = ""
    reason: str = ""


def sentence(row: ReservationRow, zone: tzinfo) -> str:
    """``16 × p5.48xlarge in use1-az4, targeted, until 13 Jun 2027, owned by serving``."""
    parts = [
        f"{size(row)} in {row.zone_id}" if row.zone_id else f"{size(row)} in an unknown zone",
        row.matching,
        _term(row, zone),
        f"owned by {row.owner}" if row.owner else "owned by nobody",
    ]
    return ", ".join(part for part in parts if part)


def clock(row: ReservationRow, as_of: datetime, zone: tzinfo) -> str:
    """How long a time-boxed one still works, blank where it has no end or is over."""
    if row.over or row.end_at is None:
        return ""
    if row.start_at is not None and row.start_at > as_of:
        return f"Starts in {_long(row.start_at - as_of)}, on {notation.instant(row.start_at, zone)}."
    stops = row.usable_until or row.end_at
    if as_of >= row.end_at:
        return f"Ended {_long(as_of - row.end_at)} ago, on {notation.instant(row.end_at, zone)}."
    billed = f", and is billed to {notation.instant(row.end_at, zone)}" if stops != row.end_at else ""
    if as_of >= stops:
        return f"Stopped working {_long(as_of - stops)} ago{billed}."
    verb = "Ends" if stops == row.end_at else "Stops working"
    return f"{verb} in {_long(stops - as_of)}, on {notation.instant(stops, zone)}{billed}."


def told_changes(found: Iterable[Changed], zone: tzinfo) -> list[ToldChange]:
    """Each change in words."""
    return [
        ToldChange(
            change.at,
            change.who or NOBODY,
            FIELD_NAMES[change.field],
            told_value(change.field, change.before, zone),
            told_value(change.field, change.after, zone),
            change.reason,
        )
        for change in found
    ]


def told_value(field: str, value: object, zone: tzinfo) -> str:
    """What stood in a field, as a page writes it."""
    if value is None or value in ("", []):
        return {"owner": "its pool's", "end": "open"}.get(field, notation.UNKNOWN)
    if field in ("start", "end", "usable_until"):
        return notation.instant(datetime.fromisoformat(str(value)), zone)
    if field == "sizes" and isinstance(value, list):
        return told_sizes(value, zone)
    if field == "state":
        return "void" if value == State.FAILED.value else "held"
    text = str(value)
    return text.rstrip("0").rstrip(".") if field in ("gpus_per_instance", "upfront_fee") and "." in text else text


def told_sizes(sizes: Sequence[Sequence[object]], zone: tzinfo) -> str:
    """``16, 12 from 1 May 2026``."""
    said = [f"{number(int(str(many)))}" for _, many in sizes[:1]]
    said += [
        f"{number(int(str(many)))} from {notation.day(datetime.fromisoformat(str(since)).astimezone(zone).date())}"
        for since, many in sizes[1:]
    ]
    return ", ".join(said)


def told_backing(values: Mapping[str, object], zone: tzinfo) -> str:
    """``serve-h100 from 1 May 2026, 00:00 UTC``."""
    start, end = (values.get(name) for name in ("start", "end"))
    parts = [str(values.get("pool") or "a pool that is gone")]
    if start:
        parts.append(f"from {notation.instant(datetime.fromisoformat(str(start)), zone)}")
    if end:
        parts.append(f"until {notation.instant(datetime.fromisoformat(str(end)), zone)}")
    return " ".join(parts)


def told_quote(values: Mapping[str, object]) -> str:
    """``62 USD reserved, 100 USD on demand a node-hour from 2026-01-01``."""
    prices = [
        f"{told_value('upfront_fee', values[name], UTC)} {values['currency']} {word}"
        for name, word in (("reserved", "reserved"), ("on_demand", "on demand"))
        if values.get(name) is not None
    ]
    until = f" until {values['end']}" if values.get("end") else ""
    return f"{', '.join(prices) or 'no price'} a {values['unit']} from {values['start']}{until}"


def console_address(row: ReservationRow) -> str:
    """Where the provider's own console shows it; blank where there is none we know."""
    if row.provider != "aws" or row.by_hand or not re.fullmatch(r"[a-z0-9-]+", row.region):
        return ""
    domain = next((end for start, end in _CONSOLES.items() if row.region.startswith(start)), "console.aws.amazon.com")
    return f"https://{row.region}.{domain}/ec2/home?region={row.region}#CapacityReservations:search={quote(row.external_id)}"


_CONSOLES = {"cn-": "console.amazonaws.cn", "us-gov-": "console.amazonaws-us-gov.com"}


def _term(row: ReservationRow, zone: tzinfo) -> str:
    if row.missing_since and not row.end_at:
        return f"no longer listed since {notation.day(row.missing_since.astimezone(zone).date())}"
    return f"until {notation.day(row.end_at.astimezone(zone).date())}" if row.end_at else "without an end"


def _long(length: timedelta) -> str:
    """``12 days 4 h``: days in words, since one sentence is read, not compared."""
    days = length.days
    if not days:
        return notation.duration(length)
    hours = length.seconds // 3600
    return f"{days} {'day' if days == 1 else 'days'}{f' {hours} h' if hours else ''}"
