"""Renewals in words, for pages."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal

from reservations.domain import notation
from scheduler.domain.renewal.possible import HOW_WORDS, Way
from scheduler.domain.renewal.standing import AT_END_WORDS, CHOICE_WORDS, Choice, RenewalMove, RenewalState
from scheduler.domain.renewal.words import choice_words, lead_words, nodes_words
from scheduler.selectors.renewals import PlanRow, RenewalRow, StepRow
from scheduler.tables.wording import about, decide_words

NOT_FOR_YOU = "your role does not include prices"
UNKNOWN = "cost unknown"

MOVE_WORDS: Mapping[RenewalMove, str] = {
    RenewalMove.PROPOSE: "proposed",
    RenewalMove.DECIDE: "decided",
    RenewalMove.REVISE: "taken back",
    RenewalMove.EXECUTE: "executed",
    RenewalMove.SUPERSEDE: "superseded",
    RenewalMove.REOPEN: "opened again",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One renewal in words; ``money`` blank: ``why_no_money`` says why. ``urgent``: its day has passed undecided."""

    row: RenewalRow
    name: str
    what: str
    before: str
    day: str
    lead: str
    urgent: bool
    choice: str
    possible: str
    money: str
    money_label: str
    why_no_money: str
    state: str
    tone: str


def shown(row: RenewalRow, *, prices: bool, today: date, zone: tzinfo) -> Shown:
    """A renewal in words, without money where prices are not for this person; ``today`` tells what is late."""
    one = row.reservation
    money = row.money if prices else None
    return Shown(
        row=row,
        name=one.pool or one.external_id,
        what=f"{_nodes_of(row)} {'ended' if one.gone else 'end'} {notation.instant(row.end_at, zone)}",
        before=_before(row, today),
        day=notation.day(row.decide_on or row.end_at.astimezone(zone).date()),
        lead=lead_words(row.lead, one.kind) if row.decide_on else "",
        urgent=row.due(today),
        choice=decided_words(row),
        possible=row.outcome.sentence if row.outcome else _still(row) if row.state is RenewalState.PROPOSED else "",
        money="" if money is None else notation.grouped(money, 0 if abs(money) >= 100 or not money else 2),
        money_label="" if money is None or row.price is None else f"{row.price.currency}{_for(row)}",
        why_no_money=NOT_FOR_YOU if not prices else "" if money is not None else UNKNOWN,
        state=row.state.value,
        tone=_tone(row, today),
    )


def decided_words(row: RenewalRow) -> str:
    """``Renew with 16 nodes until 27 Jun 2027, 11:30 UTC``; blank while nothing is decided."""
    if row.choice is None:
        return ""
    words = choice_words(row.choice, row.decided_nodes, row.until_at)
    return words[0].upper() + words[1:]


def list_headline(lines: Sequence[Shown]) -> str:
    """``3 of 5 ends are undecided, 1 of them overdue: about 410 000 USD for the terms that follow.``"""
    if not lines:
        return ""
    open_ = [one for one in lines if one.row.state is RenewalState.PROPOSED]
    ends = f"{len(lines)} end{'' if len(lines) == 1 else 's'}"
    if not open_:
        return f"Nothing is undecided about {ends}."
    late = sum(one.urgent for one in open_)
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for one in open_:
        if one.money and one.row.money is not None and one.row.price is not None:
            sums[one.row.price.currency] += one.row.money
    said = " and ".join(f"{about(amount)}{notation.THIN}{currency}" for currency, amount in sorted(sums.items()))
    overdue = f", {late} of them overdue" if late else ""
    money = f": about {said} for terms as long as the last" if said else ""
    return f"{len(open_)} of {ends} {'is' if len(open_) == 1 else 'are'} undecided{overdue}{money}."


def ways_shown(row: RenewalRow, now: datetime, zone: tzinfo) -> list[tuple[str, str, str, str]]:
    """(what, how, nodes, when) of each way that is left."""
    return [
        (CHOICE_WORDS[way.choice], HOW_WORDS[way.how], _range(way), _when(way, now, zone)) for way in row.possible.ways
    ]


def step_shown(step: StepRow, *, prices: bool) -> dict[str, object]:
    """One move for the page; evidence with prices only for who may see them."""
    words = choice_words(step.choice, step.nodes, step.until_at) if step.choice else ""
    told = json.loads(step.evidence)
    if not prices:
        told.pop("price", None)
    return {
        "move": MOVE_WORDS[step.move],
        "by": step.by or "the inventory",
        "at": step.at,
        "words": words if step.move is RenewalMove.DECIDE else "",
        "reason": step.reason,
        "hash": step.evidence_hash,
        "json": json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True),
        "recommendation": (told.get("recommendation") or {}).get("id"),
        "whole": prices,
    }


def plan_words(plan: PlanRow | None) -> str:
    """``The work falls back to other capacity: 4 nodes on demand. Resumed there 1 May 2027: passed.``"""
    if plan is None:
        return ""
    to = f": {plan.fallback}" if plan.fallback else ""
    tested = "; a resume was never tested"
    if plan.resume_tested_on and plan.resume_test:
        tested = f"; the last resume test, {notation.day(plan.resume_tested_on)}, {plan.resume_test.value}"
    return f"The work {AT_END_WORDS[plan.at_end]}{to}{tested}."


def _before(row: RenewalRow, today: date) -> str:
    if row.state is not RenewalState.PROPOSED:
        if row.decide_on is None:
            return "ends"
        return "was to be decided by" if row.decide_on < today else "to be decided by"
    return "ends" if row.decide_on is None else decide_words(row.decide_on, today)


def _nodes_of(row: RenewalRow) -> str:
    one = row.reservation
    return f"{'?' if one.nodes is None else notation.grouped(one.nodes)} × {one.shape or one.external_id}"


def _still(row: RenewalRow) -> str:
    choices = [CHOICE_WORDS[choice] for choice in row.possible.choices]
    return f"Still possible: {', '.join(choices)}. {row.possible.why}" if choices else row.possible.why


def _for(row: RenewalRow) -> str:
    if row.choice is Choice.LAPSE or row.term is None:
        return ""
    return f" for {notation.grouped(row.term.days)} days"


def _tone(row: RenewalRow, today: date) -> str:
    if row.state is RenewalState.PROPOSED:
        return "late" if row.due(today) else "none"
    return "good" if row.state is not RenewalState.SUPERSEDED else "none"


def _range(way: Way) -> str:
    if way.choice is Choice.LAPSE:
        return "none"
    if way.least == way.most and way.least is not None:
        return nodes_words(way.least)
    if way.most is None:
        return f"{notation.grouped(way.least)} or more" if way.least else "any"
    return f"{notation.grouped(way.least or 1)} to {notation.grouped(way.most)}"


def _when(way: Way, now: datetime, zone: tzinfo) -> str:
    later = way.opens_at is not None and now < way.opens_at
    start = f"from {notation.instant(way.opens_at, zone)}" if way.opens_at and later else "now"
    if way.closes_at is None:
        return start
    sure = f", surely until {notation.instant(way.sure_until, zone)}" if way.sure_until and now < way.sure_until else ""
    return f"{start} until {notation.instant(way.closes_at, zone)}{sure}"
