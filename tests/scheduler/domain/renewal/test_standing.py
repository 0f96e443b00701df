"""Every move of a renewal from every state: the table stands here once more, written by hand."""

import pytest

from scheduler.domain.renewal.standing import LEGAL, LONGEST_REASON, RenewalMove, RenewalState, why_not_move

TABLE = {
    (None, "propose"): "proposed",
    ("proposed", "decide"): "decided",
    ("decided", "revise"): "proposed",
    ("decided", "execute"): "executed",
    ("proposed", "supersede"): "superseded",
    ("decided", "supersede"): "superseded",
    ("superseded", "reopen"): "proposed",
    ("executed", "reopen"): "proposed",
}
EVERY = [(state, move) for state in (None, *RenewalState) for move in RenewalMove]


@pytest.mark.parametrize(("state", "move"), EVERY)
def test_the_table_holds_for_every_state_and_move(state: RenewalState | None, move: RenewalMove) -> None:
    wanted = TABLE.get((state.value if state else None, move.value))
    why = why_not_move(state, move, reason="it was said why")
    if wanted is None:
        assert why.endswith(".")
    else:
        assert why == ""
        assert LEGAL[move].after.value == wanted


@pytest.mark.parametrize("move", ["revise", "supersede", "reopen"])
def test_what_takes_something_back_needs_a_reason(move: str) -> None:
    state = {"revise": RenewalState.DECIDED, "supersede": RenewalState.PROPOSED, "reopen": RenewalState.EXECUTED}[move]
    assert why_not_move(state, RenewalMove(move), reason=" ") == "Say why: a reason is needed."


def test_a_reason_has_a_bound() -> None:
    reason = "x" * (LONGEST_REASON + 1)
    assert "longer than 2000" in why_not_move(RenewalState.PROPOSED, RenewalMove.DECIDE, reason=reason)
    assert why_not_move(RenewalState.PROPOSED, RenewalMove.DECIDE, reason=reason[1:]) == ""


def test_what_is_executed_is_not_revised() -> None:
    why = why_not_move(RenewalState.EXECUTED, RenewalMove.REVISE, reason="too late")
    assert why == "It is executed already: only one that is decided can become proposed."
