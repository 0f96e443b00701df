"""Who is owed which message: rings by their times, nobody forgotten, nobody told twice."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.alert.delivery import (
    Address,
    ChannelName,
    DeliveryState,
    Mode,
    Owed,
    Ringing,
    RingPolicy,
    Told,
    owed,
    wait_after,
)
from scheduler.domain.alert.episode import EpisodeState
from scheduler.domain.alert.fate import NEVER_TOLD, OVERTAKEN, RESOLVED, Planned, may_be_on_its_way, why_needless
from scheduler.domain.alert.severity import Severity

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
POLICY = RingPolicy()


def address(name: str, **more: object) -> Address:
    return Address(**{"recipient": name, "channel": ChannelName.EMAIL, "shown": name, "zone": UTC} | more)


OWNER, DEPUTY, ALL = address("owner"), address("deputy"), address("all")
RINGS = ((OWNER,), (DEPUTY,), (ALL,))


def planned(
    rings: Sequence[Sequence[Address]],
    told: Sequence[Told] = (),
    *,
    severity: str = "critical",
    minutes: float = 0,
    state: str = "open",
    steps: tuple[str, ...] = (),
    elsewhere: bool = False,
) -> list[Owed]:
    ringing = Ringing("rule", Severity(severity), EpisodeState(state), AT, steps, elsewhere)
    at = AT + timedelta(minutes=minutes)
    return owed(ringing, rings, told, as_of=at, now=at, policy=POLICY)


def names(found: Sequence[Owed]) -> list[tuple[str, str]]:
    return [(one.step, one.address.recipient) for one in found]


def had(*pairs: tuple[str, str], state: str = "sent") -> list[Told]:
    return [Told(step, recipient, DeliveryState(state)) for step, recipient in pairs]


@pytest.mark.parametrize(
    ("severity", "fallback", "escalation"), [("critical", 30, 120), ("warning", 24 * 60, 3 * 24 * 60)]
)
def test_the_next_ring_is_told_when_nobody_answered_for_so_long_and_no_minute_before(
    severity: str, fallback: int, escalation: int
) -> None:
    assert names(planned(RINGS, severity=severity)) == [("opened", "owner")]
    told = had(("opened", "owner"))
    assert names(planned(RINGS, told, severity=severity, minutes=fallback - 1)) == []
    assert names(planned(RINGS, told, severity=severity, minutes=fallback)) == [("fallback", "deputy")]
    told += had(("fallback", "deputy"))
    assert names(planned(RINGS, told, severity=severity, minutes=escalation - 1)) == []
    assert names(planned(RINGS, told, severity=severity, minutes=escalation)) == [("escalated", "all")]


def test_a_notice_wakes_no_second_person() -> None:
    assert names(planned(RINGS, had(("opened", "owner")), severity="notice", minutes=60 * 24 * 90)) == []


@pytest.mark.parametrize(
    ("rings", "first"),
    [
        (((), (DEPUTY,), (ALL,)), [("fallback", "deputy")]),
        (((), (), (ALL,)), [("escalated", "all")]),
        (((), (), ()), []),
        (((replace(OWNER, answers=False),), (DEPUTY,), ()), [("opened", "owner"), ("fallback", "deputy")]),
    ],
)
def test_where_nobody_answers_in_a_ring_the_next_is_told_at_once(rings, first) -> None:  # type: ignore[no-untyped-def]
    for severity in Severity:
        assert names(planned(rings, severity=severity)) == first


def test_an_address_that_failed_counts_as_none() -> None:
    told = had(("opened", "owner"), state="failed")
    assert names(planned(RINGS, told, severity="warning", minutes=5)) == [("fallback", "deputy")]


def test_an_address_that_chose_to_hear_less_is_one_all_the_same() -> None:
    rings = ((replace(OWNER, least=Severity.CRITICAL),), (DEPUTY,), (ALL,))
    assert names(planned(rings, severity="warning")) == []
    assert names(planned(rings, severity="warning", minutes=24 * 60)) == [("fallback", "deputy")]


@pytest.mark.parametrize("state", ["acknowledged", "snoozed"])
def test_nobody_more_is_rung_once_somebody_answered(state: str) -> None:
    assert planned(RINGS, had(("opened", "owner")), minutes=60 * 24 * 30, state=state) == []


def test_steps_go_to_those_who_know_of_it_and_only_the_newest() -> None:
    told = had(("opened", "owner"), ("fallback", "deputy"))
    found = planned(RINGS, told, steps=("4 h", "90 min"), minutes=40, state="acknowledged")
    assert names(found) == [("90 min", "owner"), ("90 min", "deputy")]
    assert planned(RINGS, told + had(("90 min", "owner"), ("90 min", "deputy")), steps=("90 min",), minutes=41) == []


def test_a_step_reaches_the_owner_of_what_somebody_took_on_although_the_owner_was_told_nothing() -> None:
    choosy = replace(OWNER, least=Severity.CRITICAL)
    rings, told = ((choosy,), (DEPUTY,), (ALL,)), had(("fallback", "deputy"))
    found = planned(rings, told, steps=("trouble run-1",), state="acknowledged")
    assert names(found) == [("trouble run-1", "owner"), ("trouble run-1", "deputy")]
    assert planned(rings, told, severity="warning", steps=("4 h",), state="acknowledged")[0].address == DEPUTY
    assert planned(rings, told, state="acknowledged") == []


def test_the_end_is_told_to_who_may_know_of_it_and_to_nobody_where_another_message_says_it() -> None:
    told = (
        had(("opened", "owner")) + had(("fallback", "deputy"), state="dropped") + had(("escalated", "all"), state="due")
    )
    assert names(planned(RINGS, told, state="resolved")) == [("resolved", "all"), ("resolved", "owner")]
    assert planned(RINGS, told, state="resolved", elsewhere=True) == []
    assert planned(RINGS, told + had(("resolved", "owner"), ("resolved", "all")), state="resolved") == []


def test_at_once_or_in_the_digest_and_not_in_quiet_hours_but_for_what_is_critical() -> None:
    quiet = address("q", at_once_from=Severity.WARNING, quiet_from=time(8), quiet_until=time(12), digest_hour=20)
    modes = {severity: planned(((quiet,), (), ()), severity=severity)[0] for severity in Severity}
    assert [(one.mode, one.try_at) for one in modes.values()] == [
        (Mode.DIGEST, AT.replace(hour=20)),
        (Mode.AT_ONCE, AT.replace(hour=12)),
        (Mode.AT_ONCE, AT),
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["open", "acknowledged", "snoozed"]),
            st.sampled_from(list(Severity)),
            st.sampled_from(["", "4 h", "90 min", "worse critical"]),
            st.integers(0, 3000),
            st.sampled_from([*DeliveryState]),
        ),
        max_size=12,
    ),
    st.lists(st.lists(st.sampled_from("abcd"), unique=True, max_size=3), min_size=3, max_size=3),
)
def test_no_recipient_is_ever_told_a_step_twice_nor_begun_with_twice(turns, rings) -> None:  # type: ignore[no-untyped-def]
    addresses = [[address(name) for name in ring] for ring in rings]
    told: list[Told] = []
    minutes = 0
    for state, severity, step, passed, became in turns:
        minutes += passed
        steps = (step,) if step else ()
        found = planned(addresses, told, severity=severity, minutes=minutes, state=state, steps=steps)
        told += [Told(one.step, one.address.recipient, became) for one in found]
    pairs = [(one.step, one.recipient) for one in told]
    begun = [one.recipient for one in told if one.step in ("opened", "fallback", "escalated")]
    assert len(set(pairs)) == len(pairs)
    assert len(set(begun)) == len(begun)


@given(st.lists(st.lists(st.sampled_from("abcd"), unique=True, max_size=3), min_size=3, max_size=3))
def test_whoever_has_an_address_somebody_is_told_of_what_opens(rings) -> None:  # type: ignore[no-untyped-def]
    addresses = [[address(name) for name in ring] for ring in rings]
    for severity in Severity:
        assert bool(planned(addresses, severity=severity)) == any(rings)


def test_tries_wait_longer_each_time_and_end_within_a_day() -> None:
    waits = [wait_after(number) for number in range(1, 11)]
    assert waits == [timedelta(minutes=n) for n in (1, 5, 15, 60, 240, 240, 240, 240, 240)] + [None]


def row(number: int, step: str, state: str = "due", mode: str = "at_once") -> Planned:
    return Planned(number, step, Mode(mode), DeliveryState(state))


def test_the_fate_of_a_message_whose_time_has_come() -> None:
    opened, step, end = row(1, "opened"), row(2, "90 min"), row(3, "resolved")
    assert why_needless(opened, [], is_resolved=False) == ""
    assert why_needless(opened, [step], is_resolved=False) == OVERTAKEN
    assert why_needless(step, [opened], is_resolved=False) == ""
    assert why_needless(opened, [row(2, "90 min", mode="digest")], is_resolved=False) == ""
    assert why_needless(opened, [end], is_resolved=True) == RESOLVED
    assert why_needless(end, [row(1, "opened", "dropped")], is_resolved=True) == NEVER_TOLD
    assert why_needless(end, [row(1, "opened", "sent")], is_resolved=True) == ""
    assert may_be_on_its_way(end, [opened])
    assert not may_be_on_its_way(end, [row(1, "opened", "sent"), step])
    assert not may_be_on_its_way(step, [opened])
