"""What was reserved, billed and left unlaunched, against an oracle that asks every second by itself."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.held import AvailableSeen, Held, SizeSpan
from reservations.domain.period import Period
from telemetry.domain.reserved import ReservedHour, latest_usable_ms, reserved_hour

TEN = datetime(2026, 5, 4, 10, tzinfo=UTC)
HOUR = Period(TEN, TEN + timedelta(hours=1))
MINUTE = 60_000
ALL_DAY = (SizeSpan(TEN - timedelta(days=30), None, 4),)


def at(minute: float) -> datetime:
    return TEN + timedelta(minutes=minute)


def every_five(available: int = 1) -> tuple[AvailableSeen, ...]:
    return tuple(AvailableSeen(at(minute), available) for minute in range(-10, 65, 5))


def one(**said: object) -> Held:
    fields: dict[str, object] = {
        "external_id": "cr-0aaa",
        "sizes": ALL_DAY,
        "observations": every_five(),
        "start_at": TEN - timedelta(days=30),
        "end_at": None,
        "usable_until": None,
        **said,
    }
    return Held(**fields)  # type: ignore[arg-type]


def result(*held: Held, gpus: str = "8") -> ReservedHour:
    return reserved_hour(held, HOUR, Decimal(gpus))


def node_minutes(reserved: float, paid: float, unused: float | None) -> ReservedHour:
    """With 8 GPUs on a node."""
    scale = 8 * MINUTE
    return ReservedHour(int(reserved * scale), int(paid * scale), None if unused is None else int(unused * scale))


def test_a_reservation_that_stands_all_hour_counts_whole() -> None:
    assert result(one()) == node_minutes(240, 240, 60)
    assert result(one(), one(external_id="cr-0bbb", observations=every_five(4))) == node_minutes(480, 480, 300)
    assert result() == ReservedHour(0, 0, 0)


def test_a_resize_in_mid_hour_counts_each_size_for_its_own_time() -> None:
    sizes = (SizeSpan(at(-999), at(20), 4), SizeSpan(at(20), at(50), 6), SizeSpan(at(50), None, 1))
    assert result(one(sizes=sizes)) == node_minutes(4 * 20 + 6 * 30 + 10, 4 * 20 + 6 * 30 + 10, 60)


def test_a_block_is_paid_to_its_end_and_reserved_while_it_can_be_used() -> None:
    assert result(one(end_at=at(45), usable_until=at(15))) == node_minutes(60, 180, 15)
    assert result(one(end_at=at(45))) == node_minutes(180, 180, 45)
    assert result(one(end_at=at(300), usable_until=at(-5))) == node_minutes(0, 240, 0)


def test_capacity_that_is_gone_but_still_billed_is_paid_and_not_reserved() -> None:
    sizes = (SizeSpan(at(-999), at(30), 4), SizeSpan(at(30), None, 4, usable=False))
    seen = tuple(AvailableSeen(at(minute), 1 if minute < 30 else None) for minute in range(-5, 65, 5))
    assert result(one(sizes=sizes, observations=seen)) == node_minutes(120, 240, 30)


def test_only_the_time_of_its_membership_counts() -> None:
    assert result(one(member_from=at(10), member_until=at(40))) == node_minutes(120, 120, 30)
    assert result(one(member_until=TEN)) == result(one(member_from=HOUR.end)) == ReservedHour(0, 0, 0)
    moved = (one(member_until=at(10)), one(member_from=at(50)))
    assert result(*moved) == node_minutes(80, 80, 20)


def test_nothing_counts_before_the_start() -> None:
    assert result(one(start_at=at(30))) == node_minutes(120, 120, 30)


@pytest.mark.parametrize(
    ("minutes", "unused"),
    [
        ([-10, 0, 10, 20, 30, 40, 50], 60),  # each holds ten minutes, to the very next
        ([0, 10, 20, 30, 40, 50], 60),
        ([-9, 1, 11, 21, 31, 41, 51], 60),
        ([-10, 0.0001, 10, 20, 30, 40, 50], None),  # 6 ms late after ten minutes
        ([0, 10, 20, 30, 40], None),
        ([5, 15, 25, 35, 45, 55], None),
        ([], None),
    ],
)
def test_an_observation_holds_for_ten_minutes_at_most(minutes: list[float], unused: float | None) -> None:
    seen = tuple(AvailableSeen(at(minute), 1) for minute in minutes)
    assert result(one(observations=seen)) == node_minutes(240, 240, unused)


def test_the_free_slots_change_when_the_next_observation_says_so() -> None:
    seen = (AvailableSeen(at(-3), 4), *(AvailableSeen(at(minute), minute // 20) for minute in range(5, 65, 5)))
    assert result(one(observations=seen)).ec2_unused == 8 * MINUTE * (4 * 5 + 20 + 2 * 20)


def test_an_observation_in_a_state_without_meaning_leaves_its_time_unobserved() -> None:
    seen = tuple(AvailableSeen(at(minute), None if minute == 30 else 1) for minute in range(-5, 65, 5))
    assert result(one(observations=seen)).ec2_unused is None
    assert result(one(observations=seen, usable_until=at(30), end_at=at(60))).ec2_unused == 8 * MINUTE * 30


def test_one_unobserved_reservation_leaves_the_whole_hour_unknown_and_one_without_time_does_not() -> None:
    blind = one(external_id="cr-0bbb", observations=())
    assert result(one(), blind) == node_minutes(480, 480, None)
    assert result(one(), one(external_id="cr-0bbb", observations=(), end_at=TEN)) == node_minutes(240, 240, 60)


def test_parts_of_a_gpu_count_exactly() -> None:
    assert result(one(), gpus="0.125") == ReservedHour(4 * 450_000, 4 * 450_000, 450_000)


@pytest.mark.parametrize(
    ("ms", "gpus", "gpu_ms"), [(4, "0.125", 0), (12, "0.125", 2), (12, "0.2083", 2), (13, "0.2083", 3)]
)
def test_half_a_millisecond_goes_to_the_even_neighbour(ms: int, gpus: str, gpu_ms: int) -> None:
    short = one(sizes=(SizeSpan(TEN, TEN + timedelta(milliseconds=ms), 1),))
    assert result(short, gpus=gpus) == ReservedHour(gpu_ms, gpu_ms, gpu_ms)


def test_a_pool_is_usable_until_the_last_of_its_reservations_ends() -> None:
    ends = [one(end_at=at(50), usable_until=at(20)), one(end_at=at(30))]
    assert latest_usable_ms(ends) == HOUR.start_ms + 30 * MINUTE
    assert latest_usable_ms([*ends, one()]) is None
    assert latest_usable_ms([]) is None


# --- every second, one by one -------------------------------------------------------------------------------------

SECONDS = range(3600)
EDGES = st.integers(-900, 4500)
RARELY = st.integers(0, 3).map(lambda number: number == 3)


@st.composite
def histories(draw: st.DrawFn) -> tuple[SizeSpan, ...]:
    cuts = [-900, *sorted(draw(st.sets(EDGES, max_size=4)) - {-900})]
    ends = [*cuts[1:], draw(st.sampled_from([None, None, cuts[-1] + 700]))]
    spans = [
        SizeSpan(second(a), moment(b), draw(st.integers(0, 5)), usable=not draw(RARELY))
        for a, b in zip(cuts, ends, strict=True)
    ]
    return tuple(span for span in spans if not draw(RARELY))


@st.composite
def observations(draw: st.DrawFn) -> tuple[AvailableSeen, ...]:
    every = draw(st.sampled_from([300, 300, 599, 600, 601]))
    regular = range(-draw(st.integers(0, 650)), 3700, every)
    missed = draw(st.sets(st.sampled_from(regular), max_size=3))
    blind = draw(st.sets(st.sampled_from(regular), max_size=1)) if draw(RARELY) else set()
    extra = draw(st.sets(EDGES, max_size=3))
    return tuple(
        AvailableSeen(second(poll), None if poll in blind else draw(st.integers(0, 5)))
        for poll in sorted({*regular, *extra} - missed)
    )


@st.composite
def reservations(draw: st.DrawFn) -> Held:
    def rarely() -> int | None:
        return draw(EDGES) if draw(RARELY) else None

    end = rarely()
    return Held(
        external_id="cr-0aaa",
        sizes=draw(histories()),
        observations=draw(observations()),
        start_at=moment(rarely()),
        end_at=moment(end),
        usable_until=None if end is None or draw(RARELY) else second(end - draw(st.integers(0, 900))),
        member_from=moment(rarely()),
        member_until=moment(rarely()),
    )


def second(number: int) -> datetime:
    return TEN + timedelta(seconds=number)


def moment(number: int | None) -> datetime | None:
    return None if number is None else second(number)


def within(instant: datetime, start: datetime | None, end: datetime | None) -> bool:
    return (start is None or start <= instant) and (end is None or instant < end)


def by_the_second(held: list[Held], gpus: Decimal) -> ReservedHour:
    reserved = paid = unused = 0
    observed = True
    for number in SECONDS:
        now = second(number)
        for each in held:
            sizes = [size for size in each.sizes if within(now, size.start, size.end)]
            if (
                not sizes
                or not within(now, each.member_from, each.member_until)
                or not within(now, each.start_at, None)
            ):
                continue
            (size,) = sizes
            if within(now, None, each.end_at):
                paid += size.instances
            if not size.usable or not within(now, None, each.usable_until or each.end_at):
                continue
            reserved += size.instances
            seen = [observation for observation in each.observations if observation.at <= now]
            newest = seen[-1] if seen else None
            if newest is None or newest.available is None or now - newest.at >= timedelta(minutes=10):
                observed = False
            else:
                unused += newest.available
    return ReservedHour(rounded(reserved, gpus), rounded(paid, gpus), rounded(unused, gpus) if observed else None)


def rounded(instance_seconds: int, gpus: Decimal) -> int:
    return round(Fraction(instance_seconds) * 1000 * Fraction(gpus))


@settings(deadline=None)
@given(held=st.lists(reservations(), max_size=2), gpus=st.sampled_from(["8", "4", "0.125", "0.3333"]))
def test_every_second_by_itself_adds_up_to_the_hour(held: list[Held], gpus: str) -> None:
    assert reserved_hour(held, HOUR, Decimal(gpus)) == by_the_second(held, Decimal(gpus))


@settings(deadline=None)
@given(held=st.lists(reservations(), max_size=2), cut=st.integers(1, 3599))
def test_two_parts_of_an_hour_add_up_to_the_hour(held: list[Held], cut: int) -> None:
    whole = reserved_hour(held, HOUR, Decimal(8))
    first = reserved_hour(held, Period(TEN, second(cut)), Decimal(8))
    rest = reserved_hour(held, Period(second(cut), HOUR.end), Decimal(8))
    assert (first.reserved + rest.reserved, first.paid + rest.paid) == (whole.reserved, whole.paid)
    assert (whole.ec2_unused is None) == (first.ec2_unused is None or rest.ec2_unused is None)
    if first.ec2_unused is not None and rest.ec2_unused is not None:
        assert whole.ec2_unused == first.ec2_unused + rest.ec2_unused
