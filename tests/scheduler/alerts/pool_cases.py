"""The cases of the rules that look at pools: what is held idle, what pays, what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from scheduler.domain.alert.facts import AlertFacts, BreakEvenLines
from tests.scheduler.alerts.world import HOUR, NODE_HOUR, NOW, USE, day_of_hours, facts, pool


@dataclass(frozen=True)
class Cases:
    """Facts by a word for each; ``below`` and ``at`` are the two sides of one threshold, ``at`` fires."""

    fires: Mapping[str, AlertFacts]
    quiet: Mapping[str, AlertFacts]
    held: Mapping[str, AlertFacts]
    below: Mapping[str, AlertFacts]
    at: Mapping[str, AlertFacts]


def idle(share: str, **told: Any) -> AlertFacts:
    held = int(Decimal(share) * 10 * NODE_HOUR)
    return facts(pool(hours=day_of_hours(lambda ago: {"idle_held": held, **told})))


def used(share: str, **told: Any) -> AlertFacts:
    busy = int(Decimal(share) * USE.busy_paid)
    return facts(pool(use=replace(USE, busy=busy, **told)))


def joined(missing: str, hours: int = 24, **told: Any) -> AlertFacts:
    short = int(Decimal(missing) * NODE_HOUR)
    return facts(
        pool(hours=day_of_hours(lambda ago: {"expected": 10 * NODE_HOUR - short, **told} if ago < hours else {}))
    )


def covered(share: str, hours: int = 24) -> AlertFacts:
    known = int(Decimal(share) * 10 * NODE_HOUR)
    return facts(pool(hours=day_of_hours(lambda ago: {"known": known} if ago < hours else {})))


def doubted(devices: int, hours: int, after: int = 0) -> AlertFacts:
    return facts(pool(hours=day_of_hours(lambda ago: {"suspects": devices} if after <= ago < after + hours else {})))


POOL_CASES: dict[str, Cases] = {
    "allocated_not_busy": Cases(
        fires={"half of it is held idle": idle("0.5")},
        quiet={
            "a tenth of it is": idle("0.1"),
            "it has no source": facts(pool(collected=False)),
            "nothing is expected of it": facts(
                pool(hours=day_of_hours(lambda ago: {"expected": 0, "known": 0, "idle_held": None}))
            ),
        },
        held={
            "a quarter is, between the two thresholds": idle("0.25"),
            "an hour is missing": facts(pool(hours=day_of_hours(lambda ago: {"idle_held": NODE_HOUR * 5})[1:])),
            "an hour is thin": facts(
                pool(hours=day_of_hours(lambda ago: {"idle_held": 5 * NODE_HOUR, "known": 8 * NODE_HOUR}))
            ),
            "the exporter gives no pods": facts(pool(hours=day_of_hours(lambda ago: {"idle_held": None}))),
            "devices in doubt may be what is idle": idle("0.32", suspects=10),
        },
        below={"resolves_below": idle("0.19999")},
        at={"opens_at": idle("0.3")},
    ),
    "below_break_even": Cases(
        fires={"busy for a third": used("0.33")},
        quiet={
            "busy for three quarters": facts(pool()),
            "launches that fail make it pay": facts(pool(lines=BreakEvenLines(Decimal("0.9"), Decimal("0.7")))),
        },
        held={
            "on the line": used("0.49"),
            "no price is known": facts(pool(lines=BreakEvenLines())),
            "half of the hours are unknown": used("0.3", busy_hours=336),
            "a fifth of it is unknown": used("0.3", coverage=Decimal("0.8")),
            "it has no hour": facts(pool(use=None)),
        },
        below={"line": used("0.5000001")},
        at={"below_by": used("0.48")},
    ),
    "pool_short": Cases(
        fires={"a node is missing for a day": joined("1"), "three nodes for two hours": joined("3", hours=2)},
        quiet={"all have joined": facts(pool()), "more have joined than are launched": joined("-1")},
        held={
            "the newest hour alone": joined("1", hours=1),
            "half a node": joined("0.5"),
            "what is launched is unknown": joined("1", launched=None),
        },
        below={"resolves_below": joined("0.2499")},
        at={"nodes": joined("0.9")},
    ),
    "telemetry_missing": Cases(
        fires={
            "nothing is known of it": covered("0"),
            "its hours are missing": facts(pool(hours=day_of_hours()[3:])),
            "no hour ever came": facts(pool(hours=(), last_hour=None)),
        },
        quiet={
            "all is known": facts(pool()),
            "it holds nothing": facts(pool(hours=(), held_since=None)),
            "it has no source": facts(pool(hours=(), collected=False)),
        },
        held={
            "the newest hour alone": covered("0", hours=1),
            "most of it": covered("0.8"),
            "it began an hour ago": facts(pool(hours=(), held_since=NOW - HOUR)),
        },
        below={"resolves_at": covered("0.9")},
        at={"opens_below": covered("0.49999")},
    ),
    "telemetry_suspect": Cases(
        fires={"one device for two hours": doubted(1, 2), "four devices all day": doubted(4, 24)},
        quiet={"no device": facts(pool()), "three hours ago": doubted(1, 2, after=3)},
        held={"the newest hour alone": doubted(1, 1), "well again for two hours": doubted(1, 2, after=2)},
        below={"clean_hours": doubted(1, 1, after=3)},
        at={"hours": doubted(1, 2)},
    ),
}
