"""The rule's own numbers beside a request, live or frozen, as label, value and what else is to say."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reservations.domain import notation
from scheduler.tables.exceptions.lines import nodes_words


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the panel; ``term`` is the glossary's word, ``recommendation`` leads to where it comes from."""

    label: str
    value: str
    remark: str = ""
    term: str = ""
    recommendation: int | None = None


def figures_of(evidence: Mapping[str, object]) -> list[Figure]:
    """The panel from what ``basis_figures`` says, read back from its canonical JSON: sizes, money, data, dates."""
    if not evidence:
        return []
    read = _Read(evidence)
    return [*_sizes(read), *_money(read), *_data(read), *_decision(read)]


class _Read:
    def __init__(self, said: Mapping[str, object]) -> None:
        self.said = said
        self.currency = str(said.get("currency") or "")

    def number(self, key: str) -> Decimal | None:
        value = self.said.get(key)
        return None if value is None else Decimal(str(value))

    def whole(self, key: str) -> int | None:
        value = self.number(key)
        return None if value is None else int(value)

    def text(self, key: str) -> str:
        return str(self.said.get(key) or "")

    def money(self, key: str) -> str:
        value = self.number(key)
        return notation.UNKNOWN if value is None else notation.amount(value, self.currency)


def _sizes(read: _Read) -> list[Figure]:
    rule, asked, deviation = (read.whole(key) for key in ("rule_nodes", "asked_nodes", "deviation_nodes"))
    held = read.whole("current_nodes")
    why = read.text("why_no_rule_nodes") or "unknown"
    size = nodes_words(rule) if rule is not None else notation.UNKNOWN
    found = [Figure("The rule’s size", size, _held(rule, held, why), "rule_size")]
    if asked is not None:
        found.append(Figure("Asked for", nodes_words(asked), _deviation(deviation)))
    return found


def _held(rule: int | None, held: int | None, why: str) -> str:
    if rule is None:
        return why
    return f"{notation.grouped(held)} held now" if held is not None else ""


def _deviation(nodes: int | None) -> str:
    if nodes is None:
        return ""
    if nodes == 0:
        return "exactly the rule’s size"
    return f"{nodes_words(abs(nodes))} {'above' if nodes > 0 else 'below'} the rule"


def _money(read: _Read) -> list[Figure]:
    cost = Figure("Cost over the term", read.money("term_cost"), _cost_remark(read))
    regret = read.number("regret_month")
    if regret is None:
        return [cost, Figure("Regret", notation.UNKNOWN, "without the rule’s size there is none", "regret")]
    more = "more" if regret >= 0 else "less"
    said = f"{more} a month than the rule’s size"
    low, high = read.number("regret_month_low"), read.number("regret_month_high")
    if low is not None and high is not None:
        band = f"{notation.amount(low, read.currency)} to {notation.amount(high, read.currency)}"
        said = f"{said}; nine of ten draws of whole weeks: {band}"
    return [cost, Figure("Regret", notation.amount(abs(regret), read.currency), said, "regret")]


def _cost_remark(read: _Read) -> str:
    if read.number("term_cost") is None:
        return "no price is known, or the term is not said yet" if read.number("reserved_node_hour") is None else ""
    return f"the rule’s size costs {read.money('rule_term_cost')}" if read.number("rule_term_cost") is not None else ""


def _data(read: _Read) -> list[Figure]:
    share, hours, missing = read.number("coverage_share"), read.whole("hours"), read.whole("hours_missing")
    mean, peak = read.number("mean_nodes"), read.whole("peak_nodes")
    measured = f"{notation.grouped(hours or 0)} h measured, {notation.grouped(missing or 0)} h missing"
    needed = notation.UNKNOWN if mean is None else f"{notation.grouped(mean, 1)} nodes"
    return [
        Figure("Coverage of the data", notation.percent(share), measured, "coverage"),
        Figure("Needed on average", needed, "" if peak is None else f"{notation.grouped(peak)} at most"),
        *_busy(read),
        Figure("Break-even", notation.percent(read.number("break_even_share")), "", "break_even"),
    ]


def _busy(read: _Read) -> list[Figure]:
    """How busy what was reserved was over so many whole months; months without data say so."""
    shares = [(months, read.number(f"busy_share_{months}_months")) for months in (3, 6, 12)]
    known = [(months, share) for months, share in shares if share is not None]
    if not known:
        return []
    months, first = known[0]
    rest = ", ".join(f"{notation.percent(share)} over {count}" for count, share in known[1:])
    return [Figure(f"Busy ÷ reserved, {months} months", notation.percent(first), rest)]


def _decision(read: _Read) -> list[Figure]:
    on, why = read.text("decision_date"), read.text("why_no_decision_date")
    by = notation.day(date.fromisoformat(on)) if on else notation.UNKNOWN
    found = [Figure("Decide by", by, "" if on else why, "decision_date")]
    price = read.number("reserved_node_hour")
    if price is not None:
        said = f"{notation.grouped(price, 2)} {read.currency}"
        found.append(Figure("Reserved node-hour", said, read.text("price_source")))
    advice = read.said.get("recommendation")
    if isinstance(advice, Mapping):
        size = advice.get("proposed_nodes")
        said = f"{advice.get('action')}" + (f", {nodes_words(int(str(size)))}" if size is not None else "")
        found.append(Figure("Recommended", said, recommendation=int(str(advice["id"]))))
    return found
