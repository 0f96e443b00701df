"""Why nothing is launched into free slots: only what the data support, the surest first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from reservations.domain import notation
from scheduler.domain.alert.facts import Outside, ReservationFact
from scheduler.domain.attention.reserved_unused import NOBODY_NAMES_IT, far_from_data

DRAINS_WITHIN = timedelta(hours=4)
"""Work is brought away from a block in its last hours: what gets free then is meant to."""


class UnusedCause(StrEnum):
    """Why slots stay free."""

    DRAINING = "draining"
    OPTED_OUT = "opted_out"
    NOT_NAMED = "not_named"
    OTHER_PLATFORM = "other_platform"
    OTHER_TENANCY = "other_tenancy"
    OTHER_ZONE = "other_zone"
    NOBODY_NAMES_IT = "nobody_names_it"
    FAR_FROM_DATA = "far_from_data"
    NO_CAPACITY = "no_capacity"
    MISSED = "missed"


WHEN: dict[UnusedCause, str] = {
    UnusedCause.DRAINING: "less is launched than an hour before, and its machines are taken within four hours",
    UnusedCause.OPTED_OUT: "instances that fit it run on demand with the preference `none`",
    UnusedCause.NOT_NAMED: "it is targeted, and instances that fit it run on demand without naming it",
    UnusedCause.OTHER_PLATFORM: "instances of its type run on demand in its zone, on another platform",
    UnusedCause.OTHER_TENANCY: "instances of its type run on demand in its zone, with another tenancy",
    UnusedCause.OTHER_ZONE: "instances of its type run on demand, in other zones only (compared by zone id)",
    UnusedCause.NOBODY_NAMES_IT: "it is targeted, and no running instance names it; all of it is free",
    UnusedCause.FAR_FROM_DATA: "its zone id is another than that of the pool's data",
    UnusedCause.NO_CAPACITY: "launches of its type failed for want of capacity on the newest day reported",
    UnusedCause.MISSED: "instances that fit it run on demand beside it, and nothing says why",
}
"""In which order causes are looked for, and what shows each."""


@dataclass(frozen=True, slots=True)
class Told:
    """A cause and a sentence that says what shows it; None and blank where nothing does."""

    cause: UnusedCause | None = None
    sentence: str = ""


def unused_cause(one: ReservationFact, *, as_of: datetime) -> Told:
    """The first cause of ``WHEN`` that the data show."""
    return _draining(one, as_of) or _beside(one) or _elsewhere(one) or _itself(one) or _missed(one) or Told()


def _draining(one: ReservationFact, as_of: datetime) -> Told | None:
    before, now, until = one.slots.used_first, one.used, one.usable_until
    if before is None or now is None or until is None or now >= before or not one.takes_machines:
        return None
    if not as_of <= until <= as_of + DRAINS_WITHIN:
        return None
    return Told(
        UnusedCause.DRAINING,
        f"It is draining: {before} nodes were launched an hour ago, {now} are, and it works until "
        f"{notation.instant(until)}.",
    )


def _beside(one: ReservationFact) -> Told | None:
    """What fits it and still runs beside it."""
    fitting = [row for row in one.launches.outside or () if _fits(row, one)]
    if opted := _count(row for row in fitting if row.preference == "none"):
        sentence = f"{_alike(opted)} on demand beside it and opted out of reservations (preference none)."
        return Told(UnusedCause.OPTED_OUT, sentence)
    unnamed = _count(row for row in fitting if not row.targets)
    if unnamed and one.matching == "targeted":
        return Told(
            UnusedCause.NOT_NAMED, f"It is targeted, and {_alike(unnamed)} on demand beside it without naming it."
        )
    return None


def _elsewhere(one: ReservationFact) -> Told | None:
    """What nearly fits it."""
    near = [row for row in one.launches.outside or () if row.zone_id and row.zone_id == one.zone_id]
    for cause, name in ((UnusedCause.OTHER_PLATFORM, "platform"), (UnusedCause.OTHER_TENANCY, "tenancy")):
        mine = getattr(one, name)
        others = [row for row in near if mine and getattr(row, name) and getattr(row, name) != mine]
        if count := _count(others):
            words = ", ".join(sorted({getattr(row, name) for row in others}))
            return Told(cause, f"{_alike(count)} in its zone with the {name} {words}; it is for {mine}.")
    away = [row for row in one.launches.outside or () if row.zone_id and one.zone_id and row.zone_id != one.zone_id]
    if count := _count(away):
        zones = ", ".join(sorted({row.zone_id for row in away}))
        return Told(UnusedCause.OTHER_ZONE, f"{_alike(count)} on demand in {zones}; it is in {one.zone_id}.")
    return None


def _itself(one: ReservationFact) -> Told | None:
    seen = one.launches
    if one.matching == "targeted" and one.slots.free == one.total and not seen.named:
        if seen.named == 0:
            return Told(UnusedCause.NOBODY_NAMES_IT, "It is targeted, and no running instance names it.")
        return Told(UnusedCause.NOBODY_NAMES_IT, NOBODY_NAMES_IT)
    if far := far_from_data(one.zone_id, one.data_zone_id):
        return Told(UnusedCause.FAR_FROM_DATA, far)
    if seen.failures:
        day = "" if seen.day is None else f" on {notation.day(seen.day)}"
        of = "" if seen.attempts is None else f" of {seen.attempts}"
        return Told(UnusedCause.NO_CAPACITY, f"{seen.failures}{of} launches failed for want of capacity{day}.")
    return None


def _missed(one: ReservationFact) -> Told | None:
    count = _count(row for row in one.launches.outside or () if _fits(row, one))
    return Told(UnusedCause.MISSED, f"{_alike(count)} on demand beside it.") if count else None


def _fits(row: Outside, one: ReservationFact) -> bool:
    mine, its = (one.zone_id, one.platform, one.tenancy), (row.zone_id, row.platform, row.tenancy)
    return mine == its and "" not in mine


def _count(rows: Iterable[Outside]) -> int:
    return sum(row.count for row in rows)


def _alike(count: int) -> str:
    return f"{count} instance{' of its type runs' if count == 1 else 's of its type run'}"
