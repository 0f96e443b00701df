"""A sizing in sentences: the answer above the page and the command's table."""

from decimal import Decimal

from reservations.domain import notation
from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.alternatives import Way
from scheduler.domain.sizing.question import Answer

YEAR_HOURS = 8_760
HELD = " in which something was held"

WAYS = {
    Way.NONE: "hold nothing, all on demand",
    Way.CURRENT: "stay at today's size",
    Way.RULE: "the size by price",
    Way.ADJUSTED: "the adjusted size",
    Way.PLATEAU_LOW: "the least within 1 % of the minimum",
    Way.PLATEAU_HIGH: "the most within 1 % of the minimum",
    Way.PEAK: "hold the peak",
    Way.SHED: "keep the smaller size, shed the overflow",
    Way.BY_WORKLOAD: "the proposal, overflow bought by workload",
    Way.BY_WORKLOAD_BEST: "the best size for overflow bought by workload",
}


def nodes_text(count: int) -> str:
    """``13 nodes``."""
    return f"{notation.grouped(count)} node{'' if count == 1 else 's'}"


def headline(answer: Answer) -> str:
    """“Hold 13 nodes (now 16): saves 138 000 USD a year; anything from 12 to 14 is within 1 %.”"""
    sizing, sized = answer.sizing, answer.sizing.sized
    if sized is None:
        return f"No size: {sizing.reason}."
    current = sizing.asked.choices.current
    held = f" (now {notation.grouped(current)})" if current is not None else ""
    low, high = sized.sizes.adjusted_plateau or sized.sizes.plateau
    within = f"anything from {notation.grouped(low)} to {notation.grouped(high)} is within 1{notation.THIN}%"
    if low == high:
        within = "one node more or fewer costs over 1\u202f% more"
    what = f"Hold {nodes_text(sized.to_hold)}" if sized.to_hold else "Hold nothing"
    saves = "" if sized.saving is None else f" {_saves(answer, sized.saving)};"
    return f"{what}{held}:{saves} {within}."


def _saves(answer: Answer, saving: Decimal) -> str:
    held, hours = answer.sizing.trace.held_share, answer.sizing.curve.hours
    a_year = EXACT.divide(
        EXACT.multiply(saving, Decimal(YEAR_HOURS * held.numerator)), Decimal(hours * held.denominator)
    )
    if saving == 0:
        return "costs what it costs now"
    verb = "saves" if saving > 0 else "costs"
    more = "" if saving > 0 else " more"
    return f"{verb} {money(abs(a_year), answer.priced.prices.currency)}{more} a year"


def money(value: Decimal, currency: str) -> str:
    """An amount with its currency, where one is known."""
    return notation.amount(value, currency) if currency else notation.grouped(value, 0 if abs(value) >= 100 else 2)


def band_words(answer: Answer) -> str:
    """How far the size hangs on which weeks were seen."""
    band = answer.sizing.sized.band if answer.sizing.sized else None
    if band is None:
        return ""
    of = band.rule if band.adjusted is None else band.adjusted
    span = f"{notation.grouped(of.low)} to {nodes_text(of.high)}" if of.low != of.high else nodes_text(of.low)
    said = f"Nine of ten draws of {band.weeks} whole weeks come to {span}."
    if band.saving is None:
        return said
    currency = answer.priced.prices.currency
    low, high = (money(value, currency) for value in (band.saving.low, band.saving.high))
    return f"{said} Over these hours the proposal then saves from {low} to {high}."


def fixed_words(answer: Answer) -> str:
    """Why what to hold is not the rule's size."""
    sized = answer.sizing.sized
    return "" if sized is None else answer.sizing.asked.fixed.why(sized.proposed)


def load_words(answer: Answer) -> str:
    """Mean and peak, and the last node that either break-even justifies."""
    sizing, curve = answer.sizing, answer.sizing.curve
    mean = notation.grouped(
        EXACT.divide(Decimal(sizing.mean_nodes.numerator), Decimal(sizing.mean_nodes.denominator)), 1
    )
    said = [
        f"{mean} nodes needed on average, {notation.grouped(curve.peak)} at the peak,"
        f" over {notation.grouped(curve.hours)} hours{HELD if sizing.trace.not_held else ''}."
    ]
    sized, prices = sizing.sized, answer.priced.prices
    if sized is None:
        return " ".join([*said, f"There is no size: {sizing.reason}."])
    even = notation.percent(prices.break_even)
    said.append(f"{_justified(sized.sizes.rule)} needed in more than {even} of them, the break-even by price.")
    if sized.sizes.adjusted is not None:
        adjusted = notation.percent(prices.adjusted_break_even)
        said.append(f"With launches that fail the line is {adjusted}: {_justified(sized.sizes.adjusted).lower()}.")
    return " ".join(said)


def _justified(nodes: int) -> str:
    if nodes == 0:
        return "No node is"
    return "1 node is" if nodes == 1 else f"{notation.grouped(nodes)} nodes are"


def cost_words(answer: Answer) -> str:
    """The least cost and the plateau, beside all on demand and the peak reserved."""
    sized = answer.sizing.sized
    if sized is None:
        return ""
    currency = answer.priced.prices.currency
    costs = sized.sizes.adjusted_costs or sized.sizes.costs
    least, none, peak = costs[sized.proposed], costs[0], costs[-1]
    low, high = sized.sizes.adjusted_plateau or sized.sizes.plateau
    with_shortage = " with the expected shortage" if answer.priced.prices.shortage else ""
    flat = (
        "" if low == high else f"; from {notation.grouped(low)} to {notation.grouped(high)} it is at most 1\u202f% more"
    )
    return (
        f"{nodes_text(sized.proposed).capitalize()} cost least, {money(least.total, currency)}{with_shortage}{flat}."
        f" Nothing held would cost {money(none.total, currency)}, the peak {money(peak.total, currency)}."
    )


def regret_words(answer: Answer) -> str:
    """What staying costs, else what the worse end does."""
    sized = answer.sizing.sized
    if sized is None:
        return ""
    hours = notation.grouped(answer.sizing.curve.hours)
    current = answer.sizing.asked.choices.current
    weighed = "with the expected shortage" if answer.priced.prices.shortage else "by price alone"
    staying = next((one for one in sized.alternatives if one.way is Way.CURRENT), None)
    regret = None if staying is None else staying.adjusted_regret if staying.adjusted else staying.regret
    if current is None or regret is None:
        return f"Over {hours} hours, {weighed}."
    amount = money(regret, answer.priced.prices.currency)
    return (
        f"Over {hours} hours, {weighed}: to stay at {nodes_text(current)} costs {amount} more than the cheapest size."
    )


def sensitivity_words(answer: Answer) -> str:
    """From which to which size the grid goes."""
    sized = answer.sizing.sized
    if sized is None or not sized.sensitivity:
        return ""
    sizes = [cell.nodes for cell in sized.sensitivity]
    worst = max(cell.regret for cell in sized.sensitivity)
    span = nodes_text(min(sizes)) if min(sizes) == max(sizes) else f"{min(sizes)} to {nodes_text(max(sizes))}"
    most = money(worst, answer.priced.prices.currency)
    return f"The adjusted size would be {span}; {nodes_text(sized.proposed)} would at worst cost {most} more."


def key_facts(answer: Answer) -> list[tuple[str, str, str]]:
    """The figures beneath the charts: (glossary's word, label, value)."""
    sizing, sized, prices = answer.sizing, answer.sizing.sized, answer.priced.prices
    currency = prices.currency
    facts = [
        ("break_even", "Break-even", notation.percent(prices.break_even)),
        ("adjusted_break_even", "Adjusted break-even", notation.percent(prices.adjusted_break_even)),
    ]
    if sized is not None:
        adjusted = sized.sizes.adjusted
        facts += [
            ("rule_size", "By price", nodes_text(sized.sizes.rule)),
            ("adjusted_size", "Adjusted", notation.UNKNOWN if adjusted is None else nodes_text(adjusted)),
            ("", "To hold", nodes_text(sized.to_hold)),
            ("", "Cost by price", money(sizing.cost(sized.sizes.rule).total, currency)),
            ("", "All on demand", money(sizing.cost(0).total, currency)),
            ("", "The peak reserved", money(sizing.cost(sizing.curve.peak).total, currency)),
        ]
    asked = sizing.measured.asked_hours
    known = notation.percent(EXACT.divide(Decimal(len(sizing.measured.hours)), Decimal(asked)))
    held = " held" if sizing.measured.not_held else ""
    return [*facts, ("", "Hours known", f"{known} of {notation.grouped(asked)}{held}")]
