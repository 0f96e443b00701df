"""What holds for every rule: where it fires and where not, at its thresholds, and whatever the facts are."""

from dataclasses import fields
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.alerts import RULES
from scheduler.domain.alert.episode import turned
from scheduler.domain.alert.facts import AlertFacts
from scheduler.domain.alert.finding import Finding
from scheduler.domain.alert.thresholds import read, shown, thresholds_of
from tests.scheduler.alerts.cases import CASES
from tests.scheduler.alerts.odd import odd_facts
from tests.scheduler.alerts.world import NOW, asked, rule


def cases(of: str) -> list[object]:
    return [
        pytest.param(name, told, id=f"{name}: {word}")
        for name, some in CASES.items()
        for word, told in getattr(some, of).items()
    ]


def test_every_rule_has_a_case_that_fires_one_that_does_not_and_both_sides_of_a_threshold() -> None:
    assert list(CASES) == list(RULES)
    for name, some in CASES.items():
        assert some.fires, name
        assert some.quiet, name
        assert some.below, name
        assert some.at, name


@pytest.mark.parametrize(("name", "told"), cases("fires"))
def test_it_fires(name: str, told: AlertFacts) -> None:
    verdicts = asked(name, told)

    assert len(verdicts.findings) == 1
    assert verdicts.held == frozenset()
    check_whole(verdicts.findings[0])


@pytest.mark.parametrize(("name", "told"), cases("at"))
def test_it_fires_at_its_threshold(name: str, told: AlertFacts) -> None:
    assert len(asked(name, told).findings) == 1


@pytest.mark.parametrize(("name", "told"), [*cases("quiet")])
def test_it_finds_in_order_what_is_in_order(name: str, told: AlertFacts) -> None:
    verdicts = asked(name, told)

    assert (verdicts.findings, verdicts.held) == ((), frozenset())


@pytest.mark.parametrize(("name", "told"), cases("below"))
def test_it_does_not_fire_on_the_other_side(name: str, told: AlertFacts) -> None:
    assert asked(name, told).findings == ()


@pytest.mark.parametrize(("name", "told"), cases("held"))
def test_it_says_nothing_where_it_can_not_know(name: str, told: AlertFacts) -> None:
    verdicts = asked(name, told)

    assert verdicts.findings == ()
    assert len(verdicts.held) == 1


def check_whole(finding: Finding) -> None:
    """What every page and message rests on."""
    assert finding.summary
    assert len(finding.summary) <= 300
    assert len(finding.cause) <= 500
    assert finding.since <= NOW
    assert finding.numbers
    assert all(name and figure for name, figure in finding.numbers)
    assert not finding.summary.endswith(".")


@pytest.mark.parametrize("name", RULES)
def test_every_threshold_has_a_reason_and_bounds_that_hold_its_default_and_can_be_written_and_read(name: str) -> None:
    told = rule(name)
    declared = thresholds_of(told.defaults)

    assert [one.name for one in declared] == [field.name for field in fields(told.defaults)]
    for one in declared:
        assert one.why.reason.endswith(".")
        assert one.why.least <= one.default <= one.why.most  # type: ignore[operator]
        for value in (one.default, one.why.least, one.why.most):
            assert read(shown(value), one) == value


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_called_after_its_file_and_says_in_a_sentence_when_it_fires(name: str) -> None:
    told = rule(name)

    assert told.name == name
    assert told.title
    assert told.what.endswith(".")


@given(told=odd_facts())
def test_no_rule_fails_on_odd_facts_names_an_object_twice_or_says_another_thing_when_asked_again(
    told: AlertFacts,
) -> None:
    for name in RULES:
        verdicts = asked(name, told)
        objects = [finding.object for finding in verdicts.findings]
        assert len(objects) == len(set(objects)), name
        assert asked(name, told) == verdicts
        assert not {finding.subject.key for finding in verdicts.findings} & verdicts.held, name
        for finding in verdicts.findings:
            assert finding.since <= told.as_of, name
            assert len(finding.summary) <= 300
            assert len(finding.step) <= 40


@given(told=odd_facts(), later=st.integers(0, 10_000))
def test_the_same_verdicts_once_more_open_and_resolve_nothing(told: AlertFacts, later: int) -> None:
    for name in RULES:
        verdicts = asked(name, told)
        turn = turned([], verdicts, as_of=told.as_of + timedelta(seconds=later))
        assert len(turn.opened) == len(verdicts.findings)
