"""One pool's recommendation: the facts of a case in; sizes, proposal, money, confidence and frozen evidence out."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, datetime

from reservations.domain import notation
from reservations.domain.period import Period
from reservations.domain.renewal import decision_date
from reservations.domain.reservation_state import Kind, State
from scheduler.domain.recommendation.case import Case
from scheduler.domain.recommendation.confidence import Confidence, Grounds, confidence
from scheduler.domain.recommendation.decision import Action, Decided, SizesFound, decide, undecided
from scheduler.domain.recommendation.evidence import canonical_json, evidence_hash
from scheduler.domain.recommendation.frozen import inputs_frozen
from scheduler.domain.recommendation.money import Money, Weighed, money_of
from scheduler.domain.recommendation.moves import Bounds, bounds
from scheduler.domain.sizing.enough import why_not_enough
from scheduler.domain.sizing.given import Given
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Answer, Manner, answer_of
from scheduler.domain.sizing.weeks import whole_weeks
from telemetry.domain.demand import DemandTrace


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation; ``money`` None where nothing is recommended, ``evidence`` is canonical JSON."""

    case: Case
    decided: Decided
    rule: int | None
    adjusted: int | None
    money: Money | None
    confidence: Confidence
    why_confidence: str
    decide_on: date | None
    why_no_day: str
    evidence: str

    @property
    def hash(self) -> str:
        """SHA-256 of the evidence."""
        return evidence_hash(self.evidence)


def advice(case: Case) -> Advice:
    """What to recommend; with too little data, without hours or prices the action is none, and a reason says so."""
    trace = trusted(case.trace, case.thin)
    limits = bounds(case.parts, as_of=case.as_of, horizon=case.policy.horizon)
    on, why_no_day = earliest_decision(case)
    why_not, answer = _answer(case, trace)
    if answer is None or answer.sizing.sized is None:
        said = undecided(why_not)
        return _frozen(
            case, trace, limits, Advice(case, said, None, None, None, Confidence.NONE, "", on, why_no_day, "")
        )
    sizes = answer.sizing.sized.sizes
    found = SizesFound(
        current=case.known.current or 0,
        rule=sizes.rule,
        adjusted=sizes.adjusted,
        packed=case.packed.nodes,
        fixed=answer.sizing.asked.fixed,
        bounds=limits,
        idle_held=case.idle_held,
        why_not_packed=case.packed.why_not,
    )
    said = decide(found)
    said = replace(said, reasons=(*said.reasons, *held_words(case, trace)))
    money = _money(case, answer, found, said)
    level, why = confidence(_grounds(trace, found, said, money))
    told = Advice(case, said, sizes.rule, sizes.adjusted, money, level, why, on, why_no_day, "")
    return _frozen(case, trace, limits, told, answer)


def trusted(trace: DemandTrace, thin: AbstractSet[datetime]) -> DemandTrace:
    """The trace without the hours that too little telemetry speaks for: they are missing then, not zero."""
    kept = [at for at, hour in enumerate(trace.hours) if hour not in thin]
    return trace if len(kept) == len(trace.hours) else trace.picked(kept)


def held_words(case: Case, trace: DemandTrace) -> list[str]:
    """Over how many hours of how many it speaks, and what that means for blocks; nothing where all were held."""
    if trace.held_share == 1:
        return []
    asked, whole = trace.asked_hours, trace.asked_hours + trace.off_hours
    said = (
        f"It speaks of the {notation.grouped(asked)} hours in which something was held, of {notation.grouped(whole)},"
        " and its money of that share of a month."
    )
    blocks = all(part.kind is Kind.BLOCK for part in case.parts)
    return [f"{said} Capacity blocks are decided one by one: this is for the next." if blocks else said]


def term_ahead(case: Case) -> Period | None:
    """The days to lay demand over where committed growth holds on some of them; None where it does not."""
    ahead = Period(case.period.end, case.period.end + case.policy.horizon)
    first, last = ahead.start.date(), ahead.end.date()
    holds = any(line.start < last and (line.end is None or line.end > first) for line in case.growth)
    return ahead if holds else None


def _answer(case: Case, trace: DemandTrace) -> tuple[str, Answer | None]:
    """Why there is none, or the answer."""
    if why := why_not_enough(trace):
        return f"{why}{_thin_words(case)}", None
    growth = case.growth if (term := term_ahead(case)) else ()
    manner = Manner(draws=0, seed=case.policy.seed)
    try:
        return "", answer_of(trace, Given(term=term), case.known, growth=growth, manner=manner)
    except UnableToSize as unable:
        return str(unable), None


def _thin_words(case: Case) -> str:
    left_out = sum(hour in case.thin for hour in case.trace.hours)
    return f"; {left_out} hours of too little telemetry are left out" if left_out else ""


def _money(case: Case, answer: Answer, found: SizesFound, said: Decided) -> Money:
    sizing = answer.sizing
    return money_of(
        Weighed(
            measured=sizing.measured,
            hours=sizing.hours,
            current=found.current,
            proposed=said.proposed or 0,
            packed=found.packed,
            draws=case.policy.draws,
            seed=case.policy.seed,
        )
    )


def _grounds(trace: DemandTrace, found: SizesFound, said: Decided, money: Money) -> Grounds:
    return Grounds(
        weeks=whole_weeks(trace),
        coverage=trace.coverage_share,
        shortage_known=found.adjusted is not None,
        replayed=found.packed is not None,
        lower_bounds=bool(trace.bound_only),
        changes=said.action is not Action.KEEP,
        saving_low=money.low,
    )


def earliest_decision(case: Case) -> tuple[date | None, str]:
    """The earliest decision date of what is held; why there is none otherwise."""
    found = [
        decision_date(end_at=part.end_at, kind=part.kind, lead=case.lead, zone=case.zone)
        for part in case.parts
        if part.nodes and part.state is not State.SCHEDULED
    ]
    days = [one.on for one in found if one.on is not None]
    if days:
        return min(days), ""
    return None, found[0].why_not if found else "Nothing is held."


def _frozen(case: Case, trace: DemandTrace, limits: Bounds, told: Advice, answer: Answer | None = None) -> Advice:
    curve = answer.sizing.curve if answer else None
    inputs = inputs_frozen(case, trace, floor=limits.floor, curve=curve)
    evidence = {"inputs": inputs, "answer": _told(told)}
    return replace(told, evidence=canonical_json(evidence))


def _told(told: Advice) -> dict[str, object]:
    money = told.money
    return {
        "action": told.decided.action,
        "rule_nodes": told.rule,
        "adjusted_rule_nodes": told.adjusted,
        "proposed_nodes": told.decided.proposed,
        "decides": told.decided.decides,
        "reasons": list(told.decided.reasons),
        "saving": None if money is None else [money.saving, money.low, money.high],
        "regret": None if money is None else money.regret,
        "confidence": told.confidence,
        "why_confidence": told.why_confidence,
        "decision_date": told.decide_on,
        "why_no_decision_date": told.why_no_day,
    }
