"""A reservation as people write it down, in a form or in a line of a file: texts in, one sentence for each fault."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import TypeVar

from reservations.domain import entry_texts

Value = TypeVar("Value")

#: What may be written of one reservation, in the order of the form and of the file.
FIELDS = (
    "provider",
    "id",
    "instance_type",
    "instances",
    "gpus_per_instance",
    "zone",
    "start",
    "end",
    "usable_until",
    "upfront_fee",
    "currency",
    "owner",
    "pool",
    "resizes",
)


class UnableToReadEntry(Exception):
    """What was written cannot be kept; ``problems`` has one sentence for each field at fault."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = dict(problems)


@dataclass(frozen=True, slots=True)
class Entry:
    """One reservation; ``end_at`` None is open, other None unknown, ``owner`` and ``pool`` None nobody's and none.

    ``sizes`` are (from, instances) in time order; the first begins with the reservation.
    """

    provider: str
    external_id: str
    shape: str
    gpus_per_instance: Decimal | None
    zone_id: str
    start_at: datetime
    end_at: datetime | None
    usable_until: datetime | None
    upfront_fee: Decimal | None
    currency: str
    owner: str | None
    pool: str | None
    sizes: tuple[tuple[datetime, int], ...]


def read_entry(texts: Mapping[str, str], *, zone: tzinfo) -> Entry:
    """What the texts of ``FIELDS`` say, a day being its midnight in ``zone``; UnableToReadEntry with all faults."""
    reading = _Reading(texts, zone)
    provider = reading.field("provider", entry_texts.provider)
    external_id = reading.field("id", entry_texts.external_id)
    shape = reading.field("instance_type", entry_texts.shape)
    instances = reading.field("instances", entry_texts.instances)
    gpus = reading.field("gpus_per_instance", entry_texts.gpus)
    zone_id = reading.field("zone", entry_texts.zone_id)
    start_at = reading.field("start", lambda text: entry_texts.required_instant(text, zone))
    end_at = reading.field("end", lambda text: entry_texts.instant(text, zone) if text else None)
    usable_until = reading.field("usable_until", lambda text: entry_texts.instant(text, zone) if text else None)
    fee = reading.field("upfront_fee", entry_texts.fee)
    currency = reading.field("currency", entry_texts.currency)
    owner = reading.field("owner", lambda text: entry_texts.name(text, "owner"))
    pool = reading.field("pool", lambda text: entry_texts.name(text, "pool"))
    resizes = reading.field("resizes", lambda text: entry_texts.resizes(text, zone)) or ()
    reading.check(start_at=start_at, end_at=end_at, usable_until=usable_until, resizes=resizes)
    if fee is not None and not currency:
        reading.problems.setdefault("currency", "A fee needs its currency: three letters, as USD.")
    if reading.problems or provider is None or external_id is None or shape is None:
        raise UnableToReadEntry(reading.problems)
    if instances is None or start_at is None:
        raise UnableToReadEntry(reading.problems)
    return Entry(
        provider=provider,
        external_id=external_id,
        shape=shape,
        gpus_per_instance=gpus,
        zone_id=zone_id or "",
        start_at=start_at,
        end_at=end_at,
        usable_until=usable_until,
        upfront_fee=fee,
        currency=(currency or "") if fee is not None else "",
        owner=owner,
        pool=pool,
        sizes=((start_at, instances), *resizes),
    )


class _Reading:
    """The faults found so far, one a field."""

    def __init__(self, texts: Mapping[str, str], zone: tzinfo) -> None:
        self.texts = texts
        self.zone = zone
        self.problems: dict[str, str] = {}

    def field(self, name: str, read: Callable[[str], Value]) -> Value | None:
        """The value of one text; None where it is at fault."""
        try:
            return read(self.texts.get(name, "").strip())
        except ValueError as error:
            self.problems[name] = str(error)
            return None

    def check(
        self,
        *,
        start_at: datetime | None,
        end_at: datetime | None,
        usable_until: datetime | None,
        resizes: tuple[tuple[datetime, int], ...],
    ) -> None:
        """Whether the instants fit one another."""
        if start_at and end_at and end_at <= start_at:
            self.problems.setdefault("end", "It must end after it starts.")
        if usable_until and not end_at:
            self.problems.setdefault("usable_until", "Without an end it works as long as it is held: leave this blank.")
        elif usable_until and end_at and usable_until > end_at:
            self.problems.setdefault("usable_until", "It can't work after its end.")
        elif usable_until and start_at and usable_until <= start_at:
            self.problems.setdefault("usable_until", "It must work for some time after its start.")
        at = start_at
        for since, _ in resizes:
            if at and since <= at:
                self.problems.setdefault(
                    "resizes", "Each resize must come after the start and after the one before it."
                )
            if end_at and since >= end_at:
                self.problems.setdefault("resizes", "A resize must come before the end.")
            at = since


def written_entry(entry: Entry, *, zone: tzinfo) -> dict[str, str]:
    """An entry as the texts that :func:`read_entry` reads back: days where an instant is a midnight of ``zone``."""
    return {
        "provider": entry.provider,
        "id": entry.external_id,
        "instance_type": entry.shape,
        "instances": str(entry.sizes[0][1]),
        "gpus_per_instance": _digits(entry.gpus_per_instance),
        "zone": entry.zone_id,
        "start": entry_texts.written_instant(entry.start_at, zone),
        "end": entry_texts.written_instant(entry.end_at, zone),
        "usable_until": entry_texts.written_instant(entry.usable_until, zone),
        "upfront_fee": _digits(entry.upfront_fee),
        "currency": entry.currency,
        "owner": entry.owner or "",
        "pool": entry.pool or "",
        "resizes": "\n".join(f"{entry_texts.written_instant(at, zone)} {many}" for at, many in entry.sizes[1:]),
    }


def _digits(value: Decimal | None) -> str:
    if value is None:
        return ""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
