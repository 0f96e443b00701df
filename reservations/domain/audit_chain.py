"""The audit trail as a chain: each event's hash covers the event and the hash before it: no change goes unseen."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256

FIRST_LINK = "0" * 64
"""What the first event has in place of the hash before it."""

NEAR = 1000
"""So many numbers before and after its own a row's former one is looked for; moved further, it counts as altered."""


class AuditAct(StrEnum):
    """What somebody did; an act's word is kept for ever: it may be retired, never given another meaning."""

    LOGGED_IN = "logged_in"
    LOGGED_OUT = "logged_out"
    LOG_IN_FAILED = "log_in_failed"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 # nosec B105
    SECOND_FACTOR_ADDED = "second_factor_added"
    SECOND_FACTOR_REMOVED = "second_factor_removed"
    USER_MADE = "user_made"
    USER_CHANGED = "user_changed"
    USER_REMOVED = "user_removed"
    ROLE_GRANTED = "role_granted"
    ROLE_REVOKED = "role_revoked"
    TOKEN_MADE = "token_made"  # noqa: S105 # nosec B105
    TOKEN_REVOKED = "token_revoked"  # noqa: S105 # nosec B105
    CONFIGURATION_CHANGED = "configuration_changed"
    PRICE_CHANGED = "price_changed"
    LAUNCHES_IMPORTED = "launches_imported"
    TRACE_IMPORTED = "trace_imported"
    INVENTORY_CHANGED = "inventory_changed"
    RECOMMENDATION_DECIDED = "recommendation_decided"
    RENEWAL_MOVED = "renewal_moved"
    ALERT_MOVED = "alert_moved"
    THRESHOLD_SET = "threshold_set"
    ROUTE_CHANGED = "route_changed"
    JOB_CHANGED = "job_changed"
    CALENDAR_CHANGED = "calendar_changed"
    MEASURED_AGAIN = "measured_again"
    EXPORTED = "exported"
    EXCEPTION_DRAFTED = "exception_drafted"
    EXCEPTION_SUBMITTED = "exception_submitted"
    EXCEPTION_WITHDRAWN = "exception_withdrawn"
    EXCEPTION_REVISED = "exception_revised"
    EXCEPTION_STEP_APPROVED = "exception_step_approved"
    EXCEPTION_APPROVED = "exception_approved"
    EXCEPTION_RETURNED = "exception_returned"
    EXCEPTION_REJECTED = "exception_rejected"
    EXCEPTION_LAPSED = "exception_lapsed"
    EXCEPTION_EXECUTED = "exception_executed"
    EXCEPTION_MEASURED = "exception_measured"
    GLASS_BROKEN = "glass_broken"
    GLASS_SIGNED_OFF = "glass_signed_off"
    GLASS_REFUSED = "glass_refused"
    CONDITION_MET = "condition_met"
    AUTHORITY_DELEGATED = "authority_delegated"
    DELEGATION_ENDED = "delegation_ended"
    EXCEPTION_REFUSED = "exception_refused"
    RULE_DRAFTED = "rule_drafted"
    RULE_PUBLISHED = "rule_published"


class Via(StrEnum):
    """By which door somebody came."""

    PAGE = "page"
    API = "api"
    COMMAND = "command"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the trail as it is stored; ``before`` and ``after`` are JSON as text: these characters are hashed."""

    sequence: int
    at: datetime
    act: str
    about: str
    ident: str
    by_name: str
    by_id: str
    acting_for: str
    via: str
    address: str
    request_id: str
    before: str
    after: str
    why: str
    previous_hash: str
    hash: str = ""


_HASHED = tuple(sorted(one.name for one in fields(Event) if one.name != "hash"))
_written = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode


@dataclass(frozen=True, slots=True)
class Head:
    """How far the trail had come at some time: so many events, the last with this hash."""

    count: int
    hash: str

    def __str__(self) -> str:
        return f"{self.count}:{self.hash}"


class Fault(StrEnum):
    """What can be wrong with a row."""

    MISSING = "missing"
    REPEATED = "repeated"
    ALTERED = "altered"
    REORDERED = "reordered"
    REPLACED = "replaced"
    CUT_OFF = "cut_off"
    NOT_COUNTED = "not_counted"
    NOT_EXPECTED = "not_expected"


@dataclass(frozen=True, slots=True)
class Finding:
    """The first row at which the trail does not hold, and why in one sentence."""

    sequence: int
    fault: Fault
    sentence: str


class UnableToReadHead(ValueError):
    """A text is no head of a trail; the message is one sentence."""


def read_head(text: str) -> Head:
    """The head that was written down as ``COUNT:HASH``."""
    count, _, digest = text.strip().partition(":")
    if not (count.isascii() and count.isdigit() and len(count) < 19 and len(digest) == 64 and _is_hex(digest)):
        raise UnableToReadHead("a head is written COUNT:HASH, as verify_audit --head prints it")
    return Head(int(count), digest.lower())


def canonical_bytes(event: Event) -> bytes:
    """What is hashed of an event: every field but its own hash, as JSON in ASCII, keys in order, time in UTC.

    The hash before it is among the fields, and so is its number: neither can be changed without the hash telling.
    """
    told = {name: getattr(event, name) for name in _HASHED}
    told["at"] = event.at.astimezone(UTC).isoformat(timespec="microseconds")
    return _written(told).encode("ascii")


def event_hash(event: Event) -> str:
    """SHA-256 of an event's canonical bytes, in hexadecimal."""
    return sha256(canonical_bytes(event)).hexdigest()


def sealed(event: Event) -> Event:
    """The same event with its hash."""
    return replace(event, hash=event_hash(event))


def first_fault(events: Iterable[Event], *, head: Head | None, expected: Iterable[Head] = ()) -> Finding | None:
    """The first row, in order of number, that was altered, is missing or stands elsewhere; None: the trail holds.

    ``head`` is what the database counts beside the trail; ``expected`` are heads that were noted outside at any time:
    they alone tell of a trail that was written anew from some row to its end.
    """
    noted: dict[int, set[str]] = {}
    for one in expected:
        noted.setdefault(one.count, set()).add(one.hash)
    last = Head(0, FIRST_LINK)
    for event in events:
        found = _misfit(event, last)
        if found is not None:
            return found
        last = Head(event.sequence, event.hash)
        if noted.get(last.count, {last.hash}) != {last.hash}:
            return Finding(
                last.count,
                Fault.NOT_EXPECTED,
                f"row {last.count} has another hash than was noted outside: it or a row before it was written anew",
            )
    return _short(last, head=head, noted=noted)


def _misfit(event: Event, last: Head) -> Finding | None:
    wanted, number = last.count + 1, event.sequence
    if number < wanted:
        return Finding(number, Fault.REPEATED, f"there are two rows {number}")
    if number > wanted:
        which = f"row {wanted} is" if number == wanted + 1 else f"rows {wanted} to {number - 1} are"
        return Finding(wanted, Fault.MISSING, f"{which} missing")
    if event_hash(event) != event.hash:
        former = _former_number(event)
        if former is not None:
            return Finding(
                number,
                Fault.REORDERED,
                f"row {number} was written as row {former}: rows were put in another order, added or removed",
            )
        return Finding(number, Fault.ALTERED, f"row {number} was altered: its hash is of other values")
    if event.previous_hash != last.hash:
        first = max(last.count, 1)
        return Finding(
            first,
            Fault.REPLACED,
            f"row {first} was replaced: row {number} continues another row than the one that stands before it",
        )
    return None


def _short(last: Head, *, head: Head | None, noted: Iterable[int]) -> Finding | None:
    most = max([head.count if head else 0, *noted])
    if most > last.count:
        return Finding(
            last.count + 1,
            Fault.CUT_OFF,
            f"the trail ends at row {last.count}, though {most} were counted: the newest were cut off",
        )
    if (head or Head(0, FIRST_LINK)) != last:
        return Finding(
            last.count,
            Fault.NOT_COUNTED,
            f"row {last.count} is the last, but the count beside the trail says {head or 'nothing'}",
        )
    return None


def _former_number(event: Event) -> int | None:
    """The number under which an event has the hash it carries, looked for near where it stands.

    Never as far as the database counts: whoever altered the rows may have altered that count.
    """
    numbers = range(max(1, event.sequence - NEAR), event.sequence + NEAR + 1)
    return next((one for one in numbers if event_hash(replace(event, sequence=one)) == event.hash), None)


def _is_hex(text: str) -> bool:
    return all(one in "0123456789abcdefABCDEF" for one in text)
