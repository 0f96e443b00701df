from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.ledger import LedgerHour
from telemetry.domain.waterfall import STEPS, Step, hour_steps, waterfall
from tests.telemetry.domain.ledger_rows import hours_in

START = datetime(2026, 5, 1, 10, tzinfo=UTC)
H = 3_600_000

#: The worked hour of the ledger, with a second split of its busy time left out.
WORKED = LedgerHour(
    hour=START,
    reserved=12 * H,
    paid=12 * H,
    ec2_unused=4 * H,
    expected=8 * H,
    not_joined=0,
    not_observed=0,
    known=26_100_000,
    unknown=2_700_000,
    busy=16_500_000,
    idle=9_600_000,
    idle_held=3_000_000,
    idle_free=6_600_000,
    owner_busy=11_100_000,
    borrower_busy=4_800_000,
    unmanaged_busy=0,
    unattributed_busy=600_000,
)


def steps_of(hour: LedgerHour) -> dict[str, int]:
    return {name: value for name, value in hour_steps(hour).items() if value}


@given(st.data())
def test_the_bars_add_up_to_reserved_whatever_is_unknown(data: st.DataObject) -> None:
    hours = data.draw(hours_in(START, START + timedelta(days=31)))
    drawn = waterfall(hours)
    assert tuple(step.name for step in drawn.steps) == STEPS
    assert sum(step.gpu_ms or 0 for step in drawn.steps) == drawn.reserved == sum(hour.reserved for hour in hours)


def test_a_lawful_hour_leaves_nothing_unaccounted() -> None:
    steps = hour_steps(WORKED)
    assert steps["not_accounted"] == steps["idle_unsplit"] == steps["busy_unsplit"] == 0
    assert sum(value or 0 for value in steps.values()) == 12 * H


def test_an_hour_without_node_data_is_launched_time_nobody_accounts_for() -> None:
    hour = LedgerHour(hour=START, reserved=8 * H, paid=8 * H, ec2_unused=H, not_observed=0)
    assert steps_of(hour) == {"ec2_unused": H, "not_accounted": 7 * H}
    assert hour_steps(hour)["owner_busy"] is None


def test_an_hour_the_provider_was_not_asked_in_has_its_own_bar() -> None:
    hour = LedgerHour(
        hour=START, reserved=8 * H, paid=8 * H, expected=6 * H, not_observed=2 * H, known=6 * H, unknown=0,
        busy=4 * H, idle=2 * H, owner_busy=4 * H, borrower_busy=0, unmanaged_busy=0, unattributed_busy=0,
    )  # fmt: skip
    assert steps_of(hour) == {"not_observed": 2 * H, "idle_unsplit": 2 * H, "owner_busy": 4 * H}


def test_more_gpus_joined_than_launched_is_a_bar_below_zero() -> None:
    hour = LedgerHour(
        hour=START, reserved=8 * H, paid=8 * H, ec2_unused=2 * H, not_joined=-H, not_observed=0,
        expected=7 * H, known=0, unknown=7 * H,
    )  # fmt: skip
    assert steps_of(hour) == {"ec2_unused": 2 * H, "not_joined": -H, "unknown": 7 * H}


def test_busy_time_whose_quota_nobody_knew_stays_busy_and_unsplit() -> None:
    hour = LedgerHour(hour=START, reserved=8 * H, paid=8 * H, busy=5 * H)
    assert steps_of(hour) == {"busy_unsplit": 5 * H, "not_accounted": 3 * H}


def test_a_step_is_unknown_only_if_it_is_in_every_hour() -> None:
    unknown = LedgerHour(hour=START + timedelta(hours=1), reserved=12 * H, paid=12 * H)
    drawn = waterfall([WORKED, unknown])
    by_name = {step.name: step for step in drawn.steps}
    assert by_name["idle_held"] == Step("idle_held", 3_000_000)
    assert by_name["not_accounted"] == Step("not_accounted", 12 * H)
    assert waterfall([unknown]).steps[0] == Step("ec2_unused", None)


def test_a_share_is_of_reserved_and_unknown_when_nothing_was() -> None:
    drawn = waterfall([WORKED])
    assert drawn.share(drawn.steps[0]) == Decimal(1) / Decimal(3)
    assert waterfall([]).share(Step("ec2_unused", 0)) is None
