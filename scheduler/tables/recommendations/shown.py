"""Recommendations in words, for pages."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from typing import Any

from reservations.domain import notation
from scheduler.domain.recommendation.decision import Action, Decides
from scheduler.domain.recommendation.standing import WORDS
from scheduler.selectors.recommendations import RecommendationRow
from scheduler.tables.wording import about, decide_words

NOT_FOR_YOU = "your role does not include prices"
DECIDES_WORDS: Mapping[Decides, str] = {
    Decides.RULE: "the rule",
    Decides.PACKED: "the packed size",
    Decides.SPARE: "spare nodes",
    Decides.BLOCK_SIZE: "the size of a block",
    Decides.PROVIDER: "the provider",
    Decides.IDLE_HELD: "idle allocations",
    Decides.DATA: "the data",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One recommendation in words; ``money`` blank where there is none or it is not for this person."""

    row: RecommendationRow
    what: str
    nodes: str
    money: str
    money_label: str
    band: str
    regret: str
    why_no_money: str
    decides: str
    decide_words: str
    decide_by: str
    standing: str
    tone: str
    changes: bool


def shown(row: RecommendationRow, *, prices: bool, today: date) -> Shown:
    """A recommendation in words, without money where prices are not for this person; ``today`` tells what is late."""
    saving = row.saving if prices else None
    changes = row.action in (Action.GROW, Action.SHRINK, Action.LAPSE)
    return Shown(
        row=row,
        what=what_words(row),
        nodes=_nodes_words(row),
        money="" if saving is None else notation.grouped(abs(saving), 0 if abs(saving) >= 100 or not saving else 2),
        money_label="" if saving is None else f"{row.currency} a month{_saved(saving)}",
        band=_band(row) if saving else "",
        regret="" if not prices or row.regret is None else notation.amount(row.regret, row.currency),
        why_no_money=_why_no_money(row, prices),
        decides=DECIDES_WORDS[row.decides],
        decide_words="" if row.decision_date is None else decide_words(row.decision_date, today),
        decide_by="" if row.decision_date is None else notation.day(row.decision_date),
        standing="replaced" if row.replaced_at else WORDS[row.standing] if changes else "nothing to decide",
        tone=_tone(row),
        changes=changes,
    )


def what_words(row: RecommendationRow) -> str:
    """``Shrink from 10 to 7 nodes``."""
    nodes = f"{notation.grouped(row.current_nodes)} node{'' if row.current_nodes == 1 else 's'}"
    if row.action is Action.NONE:
        return "No recommendation"
    if row.action is Action.KEEP:
        return f"Keep {nodes}" if row.current_nodes else "Go on holding none"
    if row.action is Action.LAPSE:
        return f"Let {nodes} lapse"
    return f"{row.action.value.capitalize()} from {row.current_nodes} to {row.proposed_nodes} nodes"


def list_headline(lines: Sequence[Shown]) -> str:
    """``3 of 4 pools should change: about 260 000 USD a month.``; currencies stand beside one another."""
    if not lines:
        return ""
    changing = [one for one in lines if one.row.open]
    if not changing:
        return "No pool has to change."
    pools = f"{len(lines)} pool{'' if len(lines) == 1 else 's'}"
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for one in changing:
        if one.money and one.row.saving is not None:
            sums[one.row.currency] += one.row.saving
    said = " and ".join(f"{about(amount)}{notation.THIN}{currency}" for currency, amount in sorted(sums.items()))
    return f"{len(changing)} of {pools} should change{f', which saves about {said} a month' if said else ''}."


def sizes_shown(row: RecommendationRow) -> list[tuple[str, str, str, bool]]:
    """(glossary's word, label, nodes, whether it decides) of each size."""
    by_rule, naive = row.decides is Decides.RULE, row.adjusted_rule_nodes is None
    sizes = (
        ("", "Held now", row.current_nodes, False),
        ("rule_size", "By price", row.rule_nodes, by_rule and naive),
        ("adjusted_size", "Adjusted", row.adjusted_rule_nodes, by_rule and not naive),
        ("packed_size", "Packed", row.packed_nodes, row.decides is Decides.PACKED),
        ("", "Proposed", row.proposed_nodes, False),
    )  # fmt: skip
    return [(term, label, _count(nodes), decides) for term, label, nodes, decides in sizes]


def evidence_facts(row: RecommendationRow, *, prices: bool, zone: tzinfo) -> dict[str, Any]:
    """The frozen inputs: facts in words, what the provider allows, and the whole as indented JSON."""
    frozen = json.loads(row.evidence) if row.evidence else {}
    inputs = frozen.get("inputs", {})
    return {
        "facts": list(_facts(inputs, prices)),
        "provider": [_provider(one, zone) for one in inputs.get("provider", ())],
        "json": json.dumps(frozen, indent=1, ensure_ascii=False, sort_keys=True) if prices else "",
    }


def history(row: RecommendationRow, revisions: Iterable[RecommendationRow]) -> list[RecommendationRow]:
    """Every other revision of the pool, newest first."""
    return [one for one in revisions if one.id != row.id]


def _saved(saving: Decimal) -> str:
    return "" if not saving else " saved" if saving > 0 else " more"


def _nodes_words(row: RecommendationRow) -> str:
    return _count(row.current_nodes) if row.proposed_nodes is None else f"{row.current_nodes} → {row.proposed_nodes}"


def _band(row: RecommendationRow) -> str:
    if row.saving_low is None or row.saving_high is None:
        return ""
    low, high = (notation.grouped(value, 0 if abs(value) >= 100 else 2) for value in (row.saving_low, row.saving_high))
    return f"{low} to {high}"


def _why_no_money(row: RecommendationRow, prices: bool) -> str:
    if not prices:
        return NOT_FOR_YOU
    return "" if row.saving is not None else "nothing is recommended"


def _tone(row: RecommendationRow) -> str:
    if row.replaced_at or row.action is Action.NONE:
        return "none"
    return "late" if row.open else "none" if row.action is Action.KEEP else "good"


def _count(nodes: int | None) -> str:
    return notation.UNKNOWN if nodes is None else notation.grouped(nodes)


def _facts(inputs: Mapping[str, Any], prices: bool) -> Iterable[tuple[str, str]]:
    trace = inputs.get("trace", {})
    if trace:
        left_out = trace["hours_left_out"]
        said = f"{notation.grouped(trace['hours'])} hours"
        yield (
            "Hours of demand",
            f"{said}, {notation.grouped(left_out)} left out for thin coverage" if left_out else said,
        )
        yield "Hours missing between them", notation.grouped(trace["hours_missing"])
        yield "Most nodes needed", _count(trace["peak_nodes"])
    if inputs.get("idle_held_nodes") is not None:
        yield (
            "Held by pods that do not work",
            f"{notation.grouped(Decimal(inputs['idle_held_nodes']), 1)} nodes on average",
        )
    yield "Spare nodes", _count(inputs.get("spare_nodes"))
    for line in inputs.get("growth", ()):
        yield f"Committed growth “{line[0]}”", f"{line[3]} nodes from {line[1]}{f' to {line[2]}' if line[2] else ''}"
    if prices:
        yield from _money_facts(inputs)


def _money_facts(inputs: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    book = inputs.get("prices", {})
    for name in ("on_demand", "reserved"):
        if name in book:
            yield f"Price {name.replace('_', ' ')}", f"{book[name]} {book['currency']} a node-hour, {book['source']}"
    shortage = inputs.get("shortage")
    if shortage:
        yield "q", f"{shortage['fail_probability']}, {shortage['source']}, {shortage['recorded_on']}"
        yield "L", f"{shortage['shortage_cost']} {shortage['currency']} a node-hour ({shortage['convention']})"
    else:
        yield "q and L", "not recorded"


def _provider(one: Mapping[str, Any], zone: tzinfo) -> dict[str, str]:
    end = datetime.fromisoformat(one["end"]).astimezone(UTC) if one["end"] else None
    return {
        "reservation": one["reservation"],
        "what": f"{one['nodes']} nodes, {one['kind'].replace('_', ' ')}, {one['state'].replace('_', ' ')}",
        "end": "no end" if end is None else notation.instant(end, zone),
        "rule": one["rule"],
    }
