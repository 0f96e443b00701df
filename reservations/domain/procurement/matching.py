"""Purchases against approvals: what was bought as approved, otherwise, not at all, or without anybody's approval."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum


class Fate(StrEnum):
    """What became of an approval, or what stands behind a purchase."""

    APPROVED_NOT_BOUGHT = "approved_not_bought"
    BOUGHT_AS_APPROVED = "bought_as_approved"
    BOUGHT_OTHERWISE = "bought_otherwise"
    UNAPPROVED_PURCHASE = "unapproved_purchase"


FATE_WORDS: Mapping[Fate, str] = {
    Fate.APPROVED_NOT_BOUGHT: "approved, not bought",
    Fate.BOUGHT_AS_APPROVED: "bought as approved",
    Fate.BOUGHT_OTHERWISE: "bought otherwise",
    Fate.UNAPPROVED_PURCHASE: "unapproved purchase",
}

DAYS_OFF = timedelta(days=2)
"""A start or an end may differ so much: providers begin blocks at their own hour, in UTC."""


@dataclass(frozen=True, slots=True)
class Approved:
    """What was approved of a request; ``reservation_id`` is the one it was executed with.

    ``nodes`` are all that is to be held, ``more`` those of them that were not held yet: either may be what is bought.
    It holds for what is bought from ``since`` until ``until``; None: that end is not looked at.
    """

    request_id: int
    pool_id: int
    shape: str
    nodes: int
    start: date
    end: date
    reservation_id: int | None = None
    reservation: str = ""
    more: int | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Bought:
    """A reservation as the inventory has it; ``start`` is when it was bought or began, ``end`` None: no end.

    ``at`` is the latest at which it can have been bought: when it began, or was first seen if that was before.
    """

    reservation_id: int
    external_id: str
    pool_id: int | None
    shape: str
    nodes: int | None
    start: date | None
    end: date | None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A request, a reservation, or both, with what differs in plain words."""

    fate: Fate
    approved: Approved | None
    bought: Bought | None
    differences: tuple[str, ...] = ()


def matches(approved: Sequence[Approved], bought: Sequence[Bought], known: Iterable[int] = ()) -> list[Match]:
    """Each approval once and each purchase once; ``known`` are reservations that need none, which are left out.

    An approval goes to the reservation it was executed with or names, else to one of its pool that fits best.
    """
    left, needless = {one.reservation_id: one for one in bought}, set(known)
    found: dict[int, Match] = {}
    for one in sorted(approved, key=lambda one: (one.reservation_id is None, not one.reservation, one.request_id)):
        other = _of(one, left)
        if other is None:
            found[one.request_id] = Match(Fate.APPROVED_NOT_BOUGHT, one, None)
            continue
        del left[other.reservation_id]
        # What needs no approval may be named by a request about its end; anything else is approved before it is bought.
        exempt = bool(one.reservation) and other.reservation_id in needless
        differing = (*differences(one, other), *(() if exempt else untimely(one, other)))
        fate = Fate.BOUGHT_OTHERWISE if differing else Fate.BOUGHT_AS_APPROVED
        found[one.request_id] = Match(fate, one, other, differing)
    return [found[one.request_id] for one in approved] + [
        Match(Fate.UNAPPROVED_PURCHASE, None, one) for one in left.values() if one.reservation_id not in needless
    ]


def differences(approved: Approved, bought: Bought) -> tuple[str, ...]:
    """In what a purchase differs from what was approved, one clause each."""
    found = []
    if bought.pool_id != approved.pool_id:
        found.append("it backs another pool")
    if bought.shape != approved.shape:
        found.append(f"{bought.shape} instead of {approved.shape}")
    if bought.nodes is None or bought.nodes not in (approved.nodes, approved.more):
        found.append(f"{'unknown' if bought.nodes is None else bought.nodes} nodes instead of {approved.nodes}")
    if bought.start is not None and abs(bought.start - approved.start) > DAYS_OFF and not approved.reservation:
        found.append(f"from {bought.start} instead of {approved.start}")
    if bought.end is None:
        found.append(f"without an end instead of until {approved.end}")
    elif abs(bought.end - approved.end) > DAYS_OFF:
        found.append(f"until {bought.end} instead of {approved.end}")
    return tuple(found)


def untimely(approved: Approved, bought: Bought) -> tuple[str, ...]:
    """Whether a purchase was made before its approval or when that held no more, as a clause."""
    if bought.at is None:
        return ()
    if approved.since is not None and bought.at < approved.since:
        return ("bought before it was approved",)
    if approved.until is not None and bought.at > approved.until:
        return ("bought when the approval held no more",)
    return ()


def _of(one: Approved, left: Mapping[int, Bought]) -> Bought | None:
    if one.reservation_id is not None:
        return left.get(one.reservation_id)
    if one.reservation:
        return next((other for other in left.values() if other.external_id == one.reservation), None)
    near = [other for other in left.values() if other.pool_id == one.pool_id and _near(one, other)]
    return min(near, key=lambda other: (len(differences(one, other)), other.reservation_id), default=None)


def _near(one: Approved, other: Bought) -> bool:
    """Begun within the term that was approved, or a little before."""
    return other.start is not None and one.start - DAYS_OFF <= other.start < one.end
