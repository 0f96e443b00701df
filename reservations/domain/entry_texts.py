"""The texts of a reservation written down by hand, one reader for each; ValueError is one sentence for the field."""

import re
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal

from reservations.domain.currency import CURRENCIES
from reservations.domain.period import YEARS, UnableToReadTime, local_midnight, read_instant

MOST_INSTANCES = 1_000_000
_LONGEST = {"id": 128, "instance_type": 64, "owner": 80, "pool": 80}


def provider(text: str) -> str:
    """Who holds it for us."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,15}", text):
        raise ValueError("Name the provider in at most 16 small letters, digits and hyphens, as gcp or on-prem.")
    return text


def external_id(text: str) -> str:
    """What the provider calls it."""
    if not text or len(text) > _LONGEST["id"] or not text.isprintable() or re.search(r"\s", text):
        raise ValueError("Write the id as the provider does: 1 to 128 characters without spaces.")
    return text


def shape(text: str) -> str:
    """Its instance type."""
    if not text or len(text) > _LONGEST["instance_type"] or not text.isprintable():
        raise ValueError("Write the instance type in 1 to 64 characters, as a3-megagpu-8g.")
    return text


def instances(text: str) -> int:
    """How many instances it holds at first."""
    if not re.fullmatch(r"\d{1,7}", text, re.ASCII) or not 1 <= int(text) <= MOST_INSTANCES:
        raise ValueError("Write how many instances as a whole number from 1 to 1000000.")
    return int(text)


def gpus(text: str) -> Decimal | None:
    """GPUs of one instance; None is unknown."""
    if not text:
        return None
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4})?", text, re.ASCII) or not Decimal(text):
        raise ValueError(
            "Write the GPUs of one instance as a number above 0 with a point, as 8 or 0.5, or leave it blank."
        )
    return Decimal(text)


def zone_id(text: str) -> str:
    """The zone it lies in; blank is unknown."""
    if len(text) > 32 or (text and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text)):
        raise ValueError("Write the zone in small letters, digits and hyphens, as use1-az4 or us-central1-a.")
    return text


def required_instant(text: str, zone: tzinfo) -> datetime:
    """A day's midnight in ``zone``, or an instant with its offset; it may not be blank."""
    if not text:
        raise ValueError("Say since when it is held: a day, as 2026-05-01, or an instant, as 2026-05-01T10:00Z.")
    return instant(text, zone)


def instant(text: str, zone: tzinfo) -> datetime:
    """A day's midnight in ``zone``, or an instant with its offset."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise ValueError(f"“{text}” is no day of the calendar.") from None
        if day.year not in YEARS:
            raise ValueError(f"“{text}” is not a day we keep: write one between 1970 and 2199.")
        return local_midnight(day, zone).astimezone(UTC)
    try:
        return read_instant(text)
    except UnableToReadTime:
        raise ValueError(
            f"“{text[:40]}” is neither a day, as 2026-05-01, nor an instant, as 2026-05-01T10:00Z."
        ) from None


def fee(text: str) -> Decimal | None:
    """What was paid once for it; None is none that is known."""
    if not text:
        return None
    if not re.fullmatch(r"\d{1,12}(\.\d{1,4})?", text, re.ASCII):
        raise ValueError("Write the fee in digits with a point, as 120000 or 99.5.")
    return Decimal(text)


def currency(text: str) -> str:
    """Three letters; blank where there is no fee."""
    if text and text not in CURRENCIES:
        raise ValueError(f"“{text[:12]}” is not a currency: use its three letters, as USD or EUR.")
    return text


def name(text: str, field: str) -> str | None:
    """A team or a pool; None is none."""
    if len(text) > _LONGEST[field] or not text.isprintable():
        raise ValueError(f"There is no {field} of such a name.")
    return text or None


def resizes(text: str, zone: tzinfo) -> tuple[tuple[datetime, int], ...]:
    """``2026-05-01 12`` for each resize, in lines or between semicolons."""
    read = []
    for part in re.split(r"[;\n]", text):
        if not part.strip():
            continue
        words = part.replace("=", " ").split()
        if len(words) != 2 or not re.fullmatch(r"\d{1,7}", words[1], re.ASCII) or int(words[1]) > MOST_INSTANCES:
            raise ValueError(f"“{part.strip()[:40]}” is no resize: write since when and to how many, as 2026-05-01 12.")
        read.append((instant(words[0], zone), int(words[1])))
    return tuple(read)


def written_instant(at: datetime | None, zone: tzinfo) -> str:
    """The day whose midnight in ``zone`` it is, else the instant in UTC; blank for None."""
    if at is None:
        return ""
    day = at.astimezone(zone).date()
    if local_midnight(day, zone) == at:
        return day.isoformat()
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
