"""How evaluations and people turn episodes, held to an oracle that keeps a diary of each object by itself."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from scheduler.domain.alert.episode import (
    LONGEST_SNOOZE,
    MOVES,
    EpisodeState,
    Hushed,
    Standing,
    turned,
    why_not_move,
    why_not_snooze,
)
from scheduler.domain.alert.finding import Finding, Subject, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.attention.item import NextStep, Weekly

START = datetime(2026, 5, 4, tzinfo=UTC)
KEYS = ("pool:a", "pool:b")
OCCASIONS = ("", "2026-06-01", "2026-07-01")
SEVERITIES = ("notice", "warning", "critical")
RANK = {name: place for place, name in enumerate(SEVERITIES)}


def finding(
    key: str,
    occasion: str = "",
    severity: str = "warning",
    money: int = 100,
    step: str = "",
    also: tuple[str, ...] = (),
) -> Finding:
    return Finding(
        subject=Subject(key, key),
        severity=Severity(severity),
        since=START,
        summary="told",
        next_step=NextStep("Open", "page"),
        occurrence=occasion,
        step=step,
        also=also,
        money=Weekly(1, Decimal(money), "USD"),
    )


class Diary:
    """What the oracle knows of one object: plain words, no code of the product."""

    def __init__(self) -> None:
        self.state = "none"
        self.severity = self.snoozed_severity = ""
        self.money = self.snoozed_money = 0
        self.until: datetime | None = None
        self.hushed_at = ""


class Episodes(RuleBasedStateMachine):
    """The product's rows in a dict as the service would write them, beside the diaries."""

    def __init__(self) -> None:
        super().__init__()
        self.at, self.next_id = START, 1
        self.rows: dict[int, Standing] = {}
        self.hushed: dict[str, Hushed] = {}
        self.diaries: dict[tuple[str, str], Diary] = {}

    def diary(self, key: str, occasion: str) -> Diary:
        return self.diaries.setdefault((key, occasion), Diary())

    @rule(
        found=st.dictionaries(
            st.tuples(st.sampled_from(KEYS), st.sampled_from(OCCASIONS)),
            st.tuples(st.sampled_from(SEVERITIES), st.integers(1, 400)),
            max_size=3,
        ),
        held=st.frozensets(st.sampled_from(KEYS), max_size=1),
        passed=st.integers(1, 60 * 24),
    )
    def evaluate(self, found: dict[tuple[str, str], tuple[str, int]], held: frozenset[str], passed: int) -> None:
        self.at += timedelta(minutes=passed)
        findings = tuple(finding(key, occasion, *told) for (key, occasion), told in found.items())
        turn = turned(self.rows.values(), Verdicts(findings, held), as_of=self.at, hushed=self.hushed.values())
        self._write(turn)
        self._expect(found, held)
        again = turned(self.rows.values(), Verdicts(findings, held), as_of=self.at, hushed=self.hushed.values())
        assert again.woken == ()
        assert (again.opened, again.resolved, [one.steps for one in again.kept if one.steps]) == ((), (), [])

    def _write(self, turn) -> None:  # type: ignore[no-untyped-def]
        for name in turn.cleared:
            del self.hushed[name]
        for one in turn.resolved:
            del self.rows[one.id]
        for one in turn.woken:
            self.rows[one.id] = replace(self.rows[one.id], state=EpisodeState.OPEN, snoozed_until=None)
        for kept in turn.kept:
            old = self.rows[kept.standing.id]
            snoozed = kept.state is EpisodeState.SNOOZED
            self.rows[old.id] = Standing(
                old.id,
                old.key,
                old.object,
                kept.state,
                kept.finding.severity,
                kept.finding.step or old.step,
                (),
                *((old.snoozed_until, old.snoozed_severity, old.snoozed_money) if snoozed else (None, None, None)),
            )
        for one in turn.opened:
            self.rows[self.next_id] = Standing(
                self.next_id, one.subject.key, one.object, EpisodeState.OPEN, one.severity, one.step
            )
            self.next_id += 1

    def _expect(self, found: dict[tuple[str, str], tuple[str, int]], held: frozenset[str]) -> None:
        for place in {*self.diaries, *found}:
            one = self.diary(*place)
            told = found.get(place)
            if told is None:
                self._expect_unfound(one, place[0] in held)
                continue
            severity, money = told
            if one.state == "none":
                louder = bool(one.hushed_at) and RANK[severity] > RANK[one.hushed_at]
                if place[0] not in held and (not one.hushed_at or louder):
                    one.state, one.hushed_at = "open", ""
            elif one.state == "snoozed":
                over = one.until is not None and one.until <= self.at
                louder = RANK[severity] > RANK[one.snoozed_severity]
                dearer = 2 * money >= 3 * one.snoozed_money
                if over or louder or dearer:
                    one.state = "open"
            one.severity, one.money = severity, money

    def _expect_unfound(self, one: Diary, held: bool) -> None:
        if not held:
            one.state, one.hushed_at = "none", ""
        elif one.state == "snoozed" and one.until is not None and one.until <= self.at:
            one.state = "open"

    @rule(
        place=st.tuples(st.sampled_from(KEYS), st.sampled_from(OCCASIONS)),
        deed=st.sampled_from(["acknowledged", "snoozed", "resolved", "open"]),
        days=st.integers(0, 16),
    )
    def move(self, place: tuple[str, str], deed: str, days: int) -> None:
        one = self.diary(*place)
        name = f"{place[0]}@{place[1]}" if place[1] else place[0]
        row = next((row for row in self.rows.values() if row.object == name), None)
        assert (row is None) == (one.state == "none")
        if row is None or why_not_move(row.state, EpisodeState(deed)):
            assert row is None or row.state.value == deed
            return
        until = self.at + timedelta(days=days)
        if deed == "snoozed" and why_not_snooze(until, as_of=self.at):
            assert not 0 < days <= 14
            return
        if deed == "resolved":
            del self.rows[row.id]
            self.hushed[name] = Hushed(row.key, row.object, row.severity)
            one.state, one.hushed_at = "none", one.severity
            return
        put_off = (until, row.severity, Decimal(one.money)) if deed == "snoozed" else (None, None, None)
        self.rows[row.id] = Standing(
            row.id, row.key, row.object, EpisodeState(deed), row.severity, row.step, (), *put_off
        )
        one.state = deed
        if deed == "snoozed":
            one.until, one.snoozed_severity, one.snoozed_money = until, one.severity, one.money

    @invariant()
    def there_is_one_episode_of_each_object_at_most_and_the_diary_agrees(self) -> None:
        rows = {row.object: (row.state.value, row.severity.value) for row in self.rows.values()}
        assert len(rows) == len(self.rows)
        told = {
            (f"{key}@{occasion}" if occasion else key): (one.state, one.severity)
            for (key, occasion), one in self.diaries.items()
            if one.state != "none"
        }
        assert rows == told


TestEpisodes = Episodes.TestCase
TestEpisodes.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_nothing_leads_out_of_resolved_and_nothing_to_itself() -> None:
    assert MOVES[EpisodeState.RESOLVED] == frozenset()
    for at in EpisodeState:
        for to in EpisodeState:
            assert (why_not_move(at, to) == "") == (to in MOVES[at])
            assert why_not_move(at, at) == f"It is {at.value} already."


def test_what_is_put_off_is_put_off_for_two_weeks_at_most_and_into_the_future() -> None:
    assert why_not_snooze(START + LONGEST_SNOOZE, as_of=START) == ""
    assert "14 days at most" in why_not_snooze(START + LONGEST_SNOOZE + timedelta(seconds=1), as_of=START)
    assert "to come" in why_not_snooze(START, as_of=START)


def test_a_step_is_told_once_and_in_the_stead_of_what_it_is_worse_by() -> None:
    row = Standing(1, "pool:a", "pool:a", EpisodeState.OPEN, Severity.WARNING, "24 h")
    (same,) = turned([row], Verdicts((finding("pool:a", step="24 h"),)), as_of=START).kept
    assert same.steps == ()
    (next_one,) = turned([row], Verdicts((finding("pool:a", severity="critical", step="90 min"),)), as_of=START).kept
    assert next_one.steps == ("90 min",)
    (worse,) = turned([row], Verdicts((finding("pool:a", severity="critical", step="24 h"),)), as_of=START).kept
    assert worse.steps == ("worse critical 2026-05-04T00:00:00Z",)


def test_each_rise_of_one_episode_is_a_step_of_its_own() -> None:
    row, told = Standing(1, "pool:a", "pool:a", EpisodeState.ACKNOWLEDGED, Severity.WARNING), []
    for hour, severity in enumerate(("critical", "warning", "critical")):
        found = Verdicts((finding("pool:a", severity=severity),))
        (kept,) = turned([row], found, as_of=START + timedelta(hours=hour)).kept
        told += kept.steps
        row = replace(row, severity=kept.finding.severity)
    assert told == ["worse critical 2026-05-04T00:00:00Z", "worse critical 2026-05-04T02:00:00Z"]


def test_what_comes_beside_a_step_is_told_each_once_and_the_steps_by_time_are_told_still() -> None:
    row, told = Standing(1, "pool:a", "pool:a", EpisodeState.ACKNOWLEDGED, Severity.CRITICAL, "90 min"), []
    for step, also in (
        ("90 min", ("trouble b",)),
        ("90 min", ("trouble a", "trouble b")),
        ("90 min", ()),
        ("40 min", ("trouble b",)),
    ):
        (kept,) = turned([row], Verdicts((finding("pool:a", "", "critical", 100, step, also),)), as_of=START).kept
        told.append(kept.steps)
        row = replace(row, step=step, also=(*row.also, *also))
    assert told == [("trouble b",), ("trouble a",), (), ("40 min",)]


@pytest.mark.parametrize(("step", "also"), [("40 min", ()), ("90 min", ("trouble a",))])
def test_what_is_put_off_wakes_by_a_new_step_of_its_rule(step: str, also: tuple[str, ...]) -> None:
    row = put_off(START + timedelta(hours=9))
    (same,) = turned([row], Verdicts((finding("pool:a", "", "critical", 100, "90 min"),)), as_of=START).kept
    assert (same.state, same.steps) == (EpisodeState.SNOOZED, ())
    (kept,) = turned([row], Verdicts((finding("pool:a", "", "critical", 100, step, also),)), as_of=START).kept
    assert (kept.state, kept.steps) == (EpisodeState.OPEN, also or (step,))


def test_what_is_put_off_wakes_at_its_time_although_nothing_can_be_said_of_it() -> None:
    held = Verdicts(held=frozenset({"pool:a"}))
    over, ahead = put_off(START), put_off(START + timedelta(seconds=1))
    assert turned([over], held, as_of=START).woken == (over,)
    assert turned([ahead], held, as_of=START).woken == ()
    assert turned([replace(over, state=EpisodeState.ACKNOWLEDGED)], held, as_of=START).woken == ()


def test_what_a_person_resolved_speaks_again_of_another_step_beside_and_of_none_that_it_knew() -> None:
    hushed = Hushed("pool:a", "pool:a", Severity.CRITICAL, ("trouble a",))
    for also, speaks in (((), False), (("trouble a",), False), (("trouble a", "trouble b"), True)):
        found = Verdicts((finding("pool:a", "", "critical", 100, "90 min", also),))
        turn = turned([], found, as_of=START, hushed=[hushed])
        assert (len(turn.opened), turn.cleared) == (int(speaks), frozenset({"pool:a"} if speaks else ()))


def put_off(until: datetime) -> Standing:
    return Standing(
        1,
        "pool:a",
        "pool:a",
        EpisodeState.SNOOZED,
        Severity.CRITICAL,
        "90 min",
        (),
        until,
        Severity.CRITICAL,
        Decimal(100),
    )


def test_an_end_that_moved_is_replaced_and_one_that_is_over_is_not() -> None:
    row = Standing(1, "pool:a", "pool:a@2026-06-01", EpisodeState.OPEN, Severity.WARNING)
    moved = turned([row], Verdicts((finding("pool:a", "2026-07-01"),)), as_of=START)
    assert (moved.resolved, moved.replaced, len(moved.opened)) == ((row,), frozenset({1}), 1)
    over = turned([row], Verdicts(), as_of=START)
    assert (over.resolved, over.replaced) == ((row,), frozenset())
