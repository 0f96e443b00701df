"""For each rule where it fires, where it must not, where it says nothing, and each side of every threshold."""

from datetime import timedelta
from typing import Any

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.facts import AlertFacts
from scheduler.domain.alert.finding import Subject
from scheduler.domain.block_clock.states import JobState
from tests.scheduler.alerts.pool_cases import POOL_CASES, Cases
from tests.scheduler.alerts.world import (
    DAY,
    GPU_HOUR,
    HOUR,
    MINUTE,
    NOW,
    TODAY,
    block,
    double,
    ending,
    facts,
    free,
    request,
    reservation,
    source,
    unapproved,
)

A_MOMENT = timedelta(microseconds=1)


def unused(length: timedelta = 2 * HOUR, **told: Any) -> AlertFacts:
    return facts(reservation(slots=free(3, NOW - length, **told)))


def decide(days: int, **told: Any) -> AlertFacts:
    return facts(reservation(end_at=NOW + 60 * DAY, decide_on=TODAY + timedelta(days=days), **told))


def begun(ago: timedelta, slots: Any = None, **told: Any) -> AlertFacts:
    start = NOW - ago
    return facts(block(20 * DAY, start_at=start, slots=slots or free(10, start - HOUR), **told))


def limited(left: timedelta, **told: Any) -> AlertFacts:
    return facts(reservation(end_at=NOW + left, slots=free(4, NOW - HOUR), **told))


NOBODYS = Subject("reservation:1", "cr-0aaa")
ELSEWHERE = {"zone_id": "use1-az6"}

CASES: dict[str, Cases] = {
    "reserved_unused": Cases(
        fires={"three nodes for two hours": unused()},
        quiet={
            "none is free": facts(reservation()),
            "three observations in a row show none": unused(clean=3),
            "it is entered by hand and never observed": facts(reservation(kind=Kind.MANUAL, slots=free(3, NOW - DAY))),
            "it has not begun": facts(reservation(state=State.SCHEDULED, slots=free(3, NOW - DAY))),
            "its machines are being taken": facts(block(20 * MINUTE, slots=free(3, NOW - DAY))),
        },
        held={
            "the observations have a gap": unused(watched=False),
            "one of the hour shows none": unused(every_free=False, clean=1),
            "two observations in a row show none": facts(reservation(slots=free(0, None, every_free=False, clean=2))),
            "nothing is observed": facts(reservation(slots=free(None, None, watched=False, clean=None))),
        },
        below={"unused_for": unused(60 * MINUTE - A_MOMENT)},
        at={"unused_for": unused(60 * MINUTE)},
    ),
    "double_pay": Cases(
        fires={"two instances for three hours": facts(double(now=2, since=NOW - 3 * HOUR, gpu_ms=48 * GPU_HOUR))},
        quiet={"nothing runs on demand": facts(double())},
        held={
            "one instance for half an hour": facts(double(now=1, since=NOW - 30 * MINUTE)),
            "nobody knows what runs now": facts(double(now=None)),
        },
        below={"sustained_for": facts(double(now=1, since=NOW - HOUR + A_MOMENT))},
        at={"sustained_for": facts(double(now=1, since=NOW - HOUR))},
    ),
    "decision_due": Cases(
        fires={"it was due last week": decide(-7), "it is due today": decide(0)},
        quiet={
            "it is decided": decide(0, decided="lapse"),
            "no rule says how long a decision takes": facts(reservation(end_at=NOW + DAY)),
            "it has no end": facts(reservation(decide_on=TODAY)),
            "it is not paid yet": decide(0, state=State.REQUESTED),
            "it lives by its source": decide(0, kind=Kind.INTERRUPTIBLE),
        },
        held={},
        below={"remind_before": decide(15)},
        at={"remind_before": decide(14)},
    ),
    "end_date_surprise": Cases(
        fires={"it ends tomorrow": facts(block(DAY)), "nobody answers for it": facts(block(20 * DAY, subject=NOBODYS))},
        quiet={
            "it is decided": facts(block(DAY, decided="renew")),
            "it has no end": facts(reservation()),
            "a block of three days is on its first": facts(block(2 * DAY, start_at=NOW - DAY)),
            "it is over": facts(block(-A_MOMENT)),
        },
        held={},
        below={"undecided_within": facts(block(7 * DAY + A_MOMENT))},
        at={"undecided_within": facts(block(7 * DAY))},
    ),
    "block_starting_unused": Cases(
        fires={"it began half an hour ago": begun(30 * MINUTE)},
        quiet={
            "one node is launched": begun(30 * MINUTE, free(9, NOW - HOUR)),
            "it began two days ago": begun(2 * DAY),
            "it begins tomorrow": facts(block(9 * DAY, state=State.SCHEDULED, start_at=NOW + DAY)),
            "an end leaves what runs": facts(reservation(start_at=NOW - HOUR, slots=free(10, NOW - HOUR))),
            "it holds nothing": begun(HOUR, free(0, NOW - HOUR), total=0),
        },
        held={
            "nothing is observed": begun(HOUR, free(None, None)),
            "its size is unknown": begun(HOUR, total=None),
        },
        below={"empty_for": begun(15 * MINUTE - A_MOMENT)},
        at={"empty_for": begun(15 * MINUTE)},
    ),
    "block_ending": Cases(
        fires={
            "its machines are taken in an hour": facts(ending(HOUR, JobState.REGISTERED)),
            "its machines are being taken": facts(ending(-10 * MINUTE)),
        },
        quiet={
            "it ends in two days": facts(ending(2 * DAY)),
            "it is over": facts(ending(-30 * MINUTE)),
            "it has not begun": facts(ending(HOUR, state=State.SCHEDULED)),
        },
        held={},
        below={"first": facts(ending(DAY + A_MOMENT))},
        at={"first": facts(ending(DAY))},
    ),
    "extension_closing": Cases(
        fires={
            "it ends tomorrow": facts(block(DAY)),
            "an extension of it is not paid": facts(block(40 * DAY, extension_pending=True, decided="renew")),
        },
        quiet={
            "it is to lapse": facts(block(DAY, decided="lapse")),
            "another size follows": facts(block(DAY, decided="resize")),
            "what follows is there": facts(block(DAY, decided="renew", executed=True)),
            "the window has closed": facts(block(HOUR)),
            "it is no block": facts(reservation(end_at=NOW + DAY)),
            "it is over": facts(block(-A_MOMENT)),
        },
        held={},
        below={"first": facts(block(36 * HOUR + A_MOMENT))},
        at={"first": facts(block(36 * HOUR))},
    ),
    "becoming_on_demand": Cases(
        fires={"six nodes run in it": limited(DAY)},
        quiet={
            "nothing runs in it": facts(reservation(end_at=NOW + DAY, slots=free(10, NOW - HOUR, unused=3))),
            "it has no end": facts(reservation()),
            "a block's end takes its machines": facts(block(DAY)),
            "it is over": limited(-A_MOMENT),
        },
        held={"nobody knows what runs in it": facts(reservation(end_at=NOW + DAY, slots=free(None, None)))},
        below={"first": limited(72 * HOUR + A_MOMENT)},
        at={"first": limited(72 * HOUR)},
    ),
    "allocated_not_busy": POOL_CASES["allocated_not_busy"],
    "below_break_even": POOL_CASES["below_break_even"],
    "pool_short": POOL_CASES["pool_short"],
    "wrong_zone": Cases(
        fires={"ten nodes elsewhere": facts(reservation(**ELSEWHERE))},
        quiet={
            "it is where the data are": facts(reservation()),
            "nobody said where the data are": facts(reservation(data_zone_id="", **ELSEWHERE)),
            "it is over": facts(reservation(state=State.ENDED, **ELSEWHERE)),
        },
        held={
            "its zone is unknown": facts(reservation(zone_id="")),
            "its size is unknown": facts(reservation(total=None, **ELSEWHERE)),
        },
        below={"nodes": facts(reservation(total=0, **ELSEWHERE))},
        at={"nodes": facts(reservation(total=1, **ELSEWHERE))},
    ),
    "generation_outlived": Cases(
        fires={
            "a commitment of two years": facts(
                reservation(commitment_end_at=NOW + 700 * DAY, useful_until=TODAY + timedelta(days=300))
            )
        },
        quiet={
            "it can be given back": facts(reservation(useful_until=TODAY)),
            "half the days": facts(reservation(end_at=NOW + 115 * DAY, useful_until=TODAY + timedelta(days=100))),
            "nobody said until when it is of use": facts(reservation(end_at=NOW + 9999 * DAY)),
        },
        held={"half-way": facts(reservation(end_at=NOW + 116 * DAY, useful_until=TODAY + timedelta(days=100)))},
        below={"beyond": facts(reservation(end_at=NOW + 130 * DAY, useful_until=TODAY + timedelta(days=100)))},
        at={"beyond": facts(reservation(end_at=NOW + 131 * DAY, useful_until=TODAY + timedelta(days=100)))},
    ),
    "telemetry_missing": POOL_CASES["telemetry_missing"],
    "telemetry_suspect": POOL_CASES["telemetry_suspect"],
    "source_stale": Cases(
        fires={
            "an engine is silent for a day": facts(source(DAY)),
            "an engine never answered": facts(source(None, failing=True)),
            "a region is silent for an hour": facts(source(HOUR, inventory=True, failing=True)),
        },
        quiet={
            "an hour is not late": facts(source(HOUR)),
            "a region was just read": facts(source(MINUTE, inventory=True)),
        },
        held={"it began to fail": facts(source(HOUR, failing=True)), "it was never asked": facts(source(None))},
        below={
            "metrics_late_after": facts(source(135 * MINUTE)),
            "inventory_late_after": facts(source(15 * MINUTE, inventory=True)),
        },
        at={
            "metrics_late_after": facts(source(135 * MINUTE + A_MOMENT)),
            "inventory_late_after": facts(source(15 * MINUTE + A_MOMENT, inventory=True)),
        },
    ),
    "unapproved_purchase": Cases(
        fires={"bought a month ago": unapproved(reservation(start_at=NOW - 30 * DAY))},
        quiet={
            "approved": facts(reservation(start_at=NOW - 30 * DAY)),
            "it begins tomorrow": unapproved(reservation(start_at=NOW + DAY)),
        },
        held={},
        below={"papers_within": unapproved(reservation(start_at=NOW - DAY + A_MOMENT))},
        at={"papers_within": unapproved(reservation(start_at=NOW - DAY))},
    ),
    "condition_due": Cases(
        fires={"due tomorrow": facts(request(due=DAY)), "a year overdue": facts(request(due=-365 * DAY))},
        quiet={"nothing is owed": facts(request())},
        held={},
        below={"remind_before": facts(request(due=8 * DAY))},
        at={"remind_before": facts(request(due=7 * DAY))},
    ),
    "break_glass_unsigned": Cases(
        fires={"an hour ago": facts(request(glass=HOUR)), "overdue": facts(request(glass=3 * DAY))},
        quiet={"in the usual way": facts(request())},
        held={},
        below={"told_after": facts(request(glass=-A_MOMENT))},
        at={"told_after": facts(request(glass=0 * DAY))},
    ),
    "approval_waiting": Cases(
        fires={"for a week": facts(request(waits=7 * DAY)), "for three days": facts(request(waits=3 * DAY))},
        quiet={"nobody has to decide": facts(request(due=DAY))},
        held={},
        below={"remind_after": facts(request(waits=2 * DAY - A_MOMENT))},
        at={"remind_after": facts(request(waits=2 * DAY))},
    ),
}
