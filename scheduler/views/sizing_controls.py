"""What the form beside a sizing shows: every assumption, what is known of it, and what was given instead."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from reservations.domain import notation
from reservations.domain.break_even import Shortage
from reservations.domain.pricing import PriceKind
from scheduler.domain.sizing.given import Known
from scheduler.selectors.sizing import PoolFacts
from scheduler.views.sizing_asked import MONTHS, OFF, SizingQuestion, last_months


@dataclass(frozen=True, slots=True)
class Field:
    """One number: ``value`` as given, ``known`` shown where nothing is."""

    name: str
    label: str
    value: str
    known: str = ""


def controls(asked: SizingQuestion, facts: PoolFacts, as_of: datetime, zone: tzinfo) -> dict[str, object]:
    """Fields by group; ``overflow`` is (workload, ways with whether they are chosen)."""
    said, known = asked.fields, facts.known
    shortage = known.shortage
    months = last_months(as_of, zone)
    return {
        "months": months if asked.last in months else [asked.last, *months],
        "spans": sorted({*MONTHS, asked.months}),
        "prices": [
            Field(kind.value, f"{label} price", said.get(kind.value, ""), _price(known, kind))
            for kind, label in (
                (PriceKind.ON_DEMAND, "On-demand"),
                (PriceKind.RESERVED, "Reserved"),
                (PriceKind.SPOT, "Spot"),
                (PriceKind.FLEX, "Flex"),
            )
        ],
        "unit": f"{known.currency} a node-hour".strip(),
        "source": known.source,
        "shortage": _shortage(said, known),
        "shortage_source": f"{shortage.source}, {shortage.recorded_on.isoformat()}" if shortage else "",
        "convention": said.get("shortage_convention", ""),
        "conventions": (
            (Shortage.EXTRA.value, "work waits and pays later"),
            (Shortage.INSTEAD.value, "work is not run"),
        ),
        "sizes": _sizes(said, known),
        "shed": Field("shed_cost", "Shedding one loses", said.get("shed_cost", ""), "L"),
        "workloads": [
            (name, not asked.given.workloads or name in asked.given.workloads)
            for name in sorted(facts.trace.by_workload)
        ],
        "overflow": [(name, _ways(name, asked)) for name in sorted(facts.trace.by_workload)],
        "growth": said.get("growth", ""),
        "recorded": [
            f"{line.name}: {line.nodes.normalize():+f} {line.workload or 'nodes'} from {notation.day(line.start)}"
            + (f" to {notation.day(line.end)}" if line.end else "")
            for line in facts.growth
        ],
        "growing": said.get("grow") != OFF,
        "term": (said.get("term_from", ""), said.get("term_to", "")),
        "allow_short": asked.manner.allow_short,
    }


def _ways(workload: str, asked: SizingQuestion) -> list[tuple[str, str, bool]]:
    chosen = asked.given.overflow.get(workload)
    kind = PriceKind.ON_DEMAND if chosen is None else chosen.kind
    price = f":{chosen.price:f}" if chosen is not None and chosen.price is not None else ""
    return [
        (
            "" if way is PriceKind.ON_DEMAND else f"{workload}={way.value}{price if way is kind else ''}",
            label,
            way is kind,
        )
        for way, label in (
            (PriceKind.ON_DEMAND, "on demand"),
            (PriceKind.SPOT, "spot"),
            (PriceKind.FLEX, "flex"),
        )
    ]


def _price(known: Known, kind: PriceKind) -> str:
    price = known.prices.get(kind)
    return "" if price is None else f"{price.normalize():f}"


def _count(value: int | None) -> str:
    return "" if value is None else str(value)


def _shortage(said: Mapping[str, str], known: Known) -> list[Field]:
    shortage = known.shortage
    return [
        Field(
            "fail_probability",
            "Share that fails",
            said.get("fail_probability", ""),
            f"{shortage.terms.fail_probability.normalize():f}" if shortage else "",
        ),
        Field(
            "shortage_cost",
            "Each then costs",
            said.get("shortage_cost", ""),
            f"{shortage.terms.shortage_cost.normalize():f}" if shortage else "",
        ),
    ]


def _sizes(said: Mapping[str, str], known: Known) -> list[Field]:
    return [
        Field("current", "Held now", said.get("current", ""), _count(known.current)),
        Field("spare", "Spare nodes", said.get("spare", ""), str(known.spare)),
        Field("headroom", "Kept warm", said.get("headroom", ""), "0"),
        Field("minimum_block", "Smallest block", said.get("minimum_block", ""), "none"),
        Field("maximum_block", "Largest block", said.get("maximum_block", ""), "none"),
    ]
