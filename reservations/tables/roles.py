"""What a person was granted, in words."""

from dataclasses import dataclass

from reservations.domain.access import LEAVE, Action, Grant

WORDS: dict[Action, str] = {
    Action.SEE_POOL: "see pools",
    Action.SEE_PRICES: "see prices",
    Action.SEE_DATA_HEALTH: "see the health of the data",
    Action.COLLECT: "collect hours once more",
    Action.CONFIGURE: "change the configuration",
    Action.SEE_RESERVATION: "see reservations",
    Action.NOTE_RESERVATION: "write notes on reservations",
    Action.EDIT_RESERVATION: "enter and change reservations",
    Action.MEND_MEMBERSHIP: "say which pool a reservation backs",
    Action.EDIT_PRICES: "enter prices and exchange rates",
    Action.ALLOCATE: "plan scenarios of one's own, and search in the background for the best",
    Action.REPLAY: "have a month replayed on other sizes",
    Action.DECIDE: "decide on recommendations",
    Action.REGISTER_JOB: "register jobs on blocks that end, and report on them",
    Action.HANDLE_ALERT: "acknowledge, put off, assign and resolve alerts",
    Action.SET_THRESHOLD: "set what alerts fire at",
    Action.ROUTE_ALERTS: "say where a team's alerts go",
    Action.SEE_AUDIT: "see the audit trail",
    Action.SEE_RULE: "see the procurement rule",
    Action.DRAFT_RULE: "draft a procurement rule",
    Action.PUBLISH_RULE: "publish a procurement rule that somebody else wrote",
    Action.SEE_EXCEPTION: "see requests for exceptions",
    Action.REQUEST_EXCEPTION: "ask for exceptions",
    Action.APPROVE_EXCEPTION: "decide on exceptions that others asked for, as far as the rule goes",
    Action.EXECUTE_EXCEPTION: "buy what others asked for and approved",
    Action.DELEGATE: "delegate an authority of one's own",
}


@dataclass(frozen=True, slots=True)
class GrantWords:
    """One grant: the role, what it reaches and what it lets somebody do."""

    role: str
    reach: str
    actions: str


def grant_words(grant: Grant) -> GrantWords:
    """A grant in words, its actions in the order of the house rules."""
    allowed = [WORDS.get(action, action.value.replace("_", " ")) for action in Action if grant.role in LEAVE[action]]
    return GrantWords(
        role=grant.role.value,
        reach="the whole organisation" if grant.team is None else f"the team {grant.team}",
        actions=", ".join(allowed),
    )
