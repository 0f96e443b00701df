"""Every identity of the ledger is seen to fail once, and to hold where a term is unknown."""

import dataclasses
from decimal import Decimal

import pytest

from telemetry.domain.identities import checked, identity_violations
from telemetry.domain.ledger import LedgerHour, QueueHour
from tests.telemetry.domain.lawful_rows import H, bare, lawful

THETA = Decimal("0.05")
ROLES = ("owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy")
NOTHING_KNOWN = lawful(
    known=0,
    busy=0,
    **dict.fromkeys(("sm", "idle", "idle_held", "idle_free", *ROLES)),
)
NOT_EXPORTED = dataclasses.replace(
    NOTHING_KNOWN,
    busy=None,
    queues=tuple(dataclasses.replace(queue, **dict.fromkeys(ROLES)) for queue in NOTHING_KNOWN.queues),
)


def test_a_lawful_row_breaks_nothing() -> None:
    for row in (lawful(), lawful(busy=0), lawful(busy=7 * H, known=7 * H), bare(), NOT_EXPORTED):
        assert identity_violations(row, THETA) == []
        assert checked(row, THETA) is row


def test_an_hour_with_an_unobserved_reservation_adds_up_with_what_was_not_observed() -> None:
    row = lawful(ec2_unused=None, not_joined=None, not_observed=8 * H)
    assert identity_violations(row, THETA) == []
    assert identity_violations(dataclasses.replace(row, not_observed=8 * H + 1), THETA) != []


BROKEN = [
    ({"reserved": 16 * H + 1}, "the waterfall adds up to"),
    ({"ec2_unused": 8 * H - 1}, "the waterfall adds up to"),
    ({"not_joined": -1}, "the waterfall adds up to"),
    ({"idle_held": 0}, "idle is not idle_held + idle_free"),
    ({"busy": None, "idle": 8 * H, "idle_held": None}, "busy is unknown but its split is not"),
    ({"owner_busy": 1}, "busy is not the sum of its four roles"),
    ({"expected": 8 * H + 1, "not_joined": 0}, "expected is not known + unknown"),
    ({"known": 9 * H, "unknown": -H, "idle": 3 * H, "idle_held": None}, "more device time is known than expected"),
    ({"sm": -1}, "sm_hours exceed busy + θ·idle"),
    ({"sm": 6 * H + H // 10 + 1}, "sm_hours exceed busy + θ·idle"),
    ({"allocated": 9 * H}, "allocated is not between 0 and expected"),
    ({"allocated": -1}, "allocated is not between 0 and expected"),
    (dict.fromkeys(("busy", *ROLES)), "is unknown but not in its queues"),
    ({"queues": ()}, "is not the sum over its queues"),
    ({"queues": (QueueHour("cq-a", owner_busy=6 * H, allocated=3 * H),)}, "owner_busy is not the sum over its queues"),
]


@pytest.mark.parametrize(("said", "sentence"), BROKEN, ids=[f"{n}-{words}" for n, (_, words) in enumerate(BROKEN)])
def test_a_broken_identity_is_named_and_flags_the_row_without_touching_its_numbers(
    said: dict[str, object], sentence: str
) -> None:
    row = dataclasses.replace(lawful(), **said)  # type: ignore[arg-type]
    broken = identity_violations(row, THETA)
    assert any(sentence in violation for violation in broken), broken
    flagged = checked(row, THETA)
    assert flagged.flags == ("identity_violated",)
    assert dataclasses.replace(flagged, flags=(), notes=()) == row


def test_efficiency_may_exceed_busy_by_theta_times_idle_and_not_by_one_millisecond_more() -> None:
    most = 6 * H + 2 * H // 20
    assert identity_violations(lawful(sm=most), THETA) == []
    assert identity_violations(lawful(sm=most), Decimal("0.04999")) != []
    assert identity_violations(lawful(sm=most + 1), THETA) != []


def test_a_flag_that_stands_already_is_kept_beside_the_new_one() -> None:
    row: LedgerHour = lawful(reserved=17 * H, flags=("suspect",), notes=(("suspect", "x"),))
    flagged = checked(row, THETA)
    assert flagged.flags == ("identity_violated", "suspect")
    assert dict(flagged.notes)["suspect"] == "x"
