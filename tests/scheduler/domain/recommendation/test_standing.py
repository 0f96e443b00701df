"""What may become of a recommendation."""

from itertools import product

import pytest

from scheduler.domain.recommendation.standing import LEGAL, Standing, why_not_move


@pytest.mark.parametrize(("now", "to"), list(product(Standing, Standing)))
def test_only_the_legal_moves_are_legal(now: Standing, to: Standing) -> None:
    legal = {
        ("open", "accepted"),
        ("open", "rejected"),
        ("open", "exception_asked"),
        ("exception_asked", "accepted"),
        ("exception_asked", "rejected"),
    }
    why = why_not_move(now, to, reason="budget is frozen", recommends=True, replaced=False)
    assert (why == "") == ((now.value, to.value) in legal)
    assert set(LEGAL) == set(Standing)


@pytest.mark.parametrize("to", [Standing.REJECTED, Standing.EXCEPTION_ASKED])
def test_no_without_a_reason(to: Standing) -> None:
    assert (
        why_not_move(Standing.OPEN, to, reason=" ", recommends=True, replaced=False) == "Say why: a reason is needed."
    )


def test_nothing_is_decided_on_nothing_or_on_what_was_replaced() -> None:
    nothing = why_not_move(Standing.OPEN, Standing.ACCEPTED, reason="", recommends=False, replaced=False)
    assert nothing == "It recommends nothing, so there is nothing to decide on."
    replaced = why_not_move(Standing.OPEN, Standing.ACCEPTED, reason="", recommends=True, replaced=True)
    assert replaced.startswith("A newer revision has taken its place")
    long = why_not_move(Standing.OPEN, Standing.ACCEPTED, reason="x" * 2001, recommends=True, replaced=False)
    assert long == "The reason is longer than 2000 characters."
