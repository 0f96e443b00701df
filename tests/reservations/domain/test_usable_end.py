"""Until when a reservation works: 30 minutes before a block's end, 60 for UltraServers, by the end that is paid."""

from datetime import UTC, datetime, timedelta

import pytest

from reservations.domain.reservation_state import Kind
from reservations.domain.usable_end import CountedEnd, counted_end, usable_end

END = datetime(2026, 6, 10, 11, 30, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def extended(status: str) -> list[dict[str, str]]:
    return [
        {
            "CapacityBlockExtensionStartDate": END.isoformat(),
            "CapacityBlockExtensionEndDate": (END + DAY).isoformat(),
            "CapacityBlockExtensionStatus": f"payment-{status}",
        }
    ]


@pytest.mark.parametrize(
    ("kind", "shape", "minutes"),
    [
        (Kind.BLOCK, "p5.48xlarge", 30),
        (Kind.BLOCK, "trn2.48xlarge", 30),
        (Kind.BLOCK, "trn2u.48xlarge", 60),
        (Kind.BLOCK, "p6e-gb200.36xlarge", 60),
        (Kind.BLOCK, "p6-b200.48xlarge", 30),
        (Kind.BLOCK, "", 60),
        (Kind.ON_DEMAND, "p6e-gb200.36xlarge", 0),
        (Kind.MANUAL, "p5.48xlarge", 0),
    ],
)
def test_a_block_stops_by_its_instance_type_and_all_others_at_their_end(kind: Kind, shape: str, minutes: int) -> None:
    found = counted_end(kind=kind, shape=shape, end_at=END, told=None, extensions=None)
    assert found == CountedEnd(END, END - minutes * MINUTE)


def test_what_was_told_decides_up_to_the_end_and_what_has_no_end_works_as_long_as_was_told() -> None:
    told = {"takes_machines": True, "shape": "p5.48xlarge"}
    assert usable_end(**told, end_at=END, told=END - 45 * MINUTE) == END - 45 * MINUTE
    assert usable_end(**told, end_at=END, told=END + MINUTE) == END
    assert usable_end(**told, end_at=None, told=END) == END
    assert usable_end(**told, end_at=None) is None


@pytest.mark.parametrize("told", [None, END + DAY - 30 * MINUTE])
@pytest.mark.parametrize(
    ("status", "later", "pending"), [("pending", 0, True), ("failed", 0, False), ("succeeded", 1, False)]
)
def test_only_what_is_paid_moves_the_end_and_with_it_the_usable_one(
    told: datetime | None, status: str, later: int, pending: bool
) -> None:
    found = counted_end(kind=Kind.BLOCK, shape="p5.48xlarge", end_at=END + DAY, told=told, extensions=extended(status))
    paid = END + later * DAY
    assert found == CountedEnd(paid, paid - 30 * MINUTE, None if later else END + DAY, pending)
