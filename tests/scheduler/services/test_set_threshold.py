from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from reservations.models import Owner, Pool
from scheduler.alerts import every_rule
from scheduler.domain.alert.finding import Limits
from scheduler.models import RuleThreshold
from scheduler.selectors.thresholds import limits_of, threshold_history, thresholds_set, written_thresholds
from scheduler.services.alerts.thresholds import UnableToSetThreshold, set_threshold

AT = datetime(2026, 6, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def pool(db: None) -> Pool:
    owner = Owner.objects.create(name="serving")
    return Pool.objects.create(name="serve", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)


def put(value: str, pool: str = "", at: datetime = AT, **told: Any) -> RuleThreshold | None:
    fields = {"rule": "reserved_unused", "name": "unused_for", "reason": "they boot slowly", "by": "ada"}
    return set_threshold(**fields | told, pool=pool, value=value, at=at)


def unused() -> Limits[Any]:
    (rule,) = [rule for rule in every_rule() if rule.name == "reserved_unused"]
    return limits_of(rule)


def test_a_pools_own_goes_before_what_is_set_for_all_and_that_before_the_default(pool: Pool) -> None:
    assert unused()("serve").unused_for == HOUR

    put("2 h")
    put("3 h", pool="serve")

    assert [unused()(name).unused_for for name in ("", "serve", "other")] == [2 * HOUR, 3 * HOUR, 2 * HOUR]
    assert unused()("serve").clean_observations == 3


def test_a_blank_value_goes_back_and_every_setting_stays_written_down(pool: Pool) -> None:
    put("2 h")
    put("3 h", pool="serve", at=AT + HOUR)
    put("", pool="serve", at=AT + 2 * HOUR, reason="they boot fast again", by="grace")

    assert unused()("serve").unused_for == 2 * HOUR
    history = threshold_history(rule="reserved_unused")
    assert [(one.pool, one.value, one.set_by) for one in history] == [
        ("serve", "", "grace"),
        ("serve", "3 h", "ada"),
        ("", "2 h", "ada"),
    ]
    assert [one.value for one in thresholds_set()] == ["", "2 h"] or [one.value for one in thresholds_set()] == [
        "2 h",
        "",
    ]


def test_the_same_again_writes_nothing(pool: Pool) -> None:
    assert put("120 min") is not None
    assert put("2 h", at=AT + HOUR) is None
    assert put("", pool="serve") is None
    assert RuleThreshold.objects.count() == 1


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"value": "soon"}, "unused_for is a length of time, such as 60 min: not “soon”."),
        ({"value": "5 min"}, "unused_for must lie between 60 min and 7 d, not at 5 min."),
        ({"value": "2 h", "name": "unused_fr"}, "there is no threshold “unused_fr”; did you mean “unused_for”?."),
        ({"value": "2 h", "rule": "reserved_unusd"}, "there is no rule “reserved_unusd”; did you mean"),
        ({"value": "2 h", "pool": "srve"}, "there is no pool “srve”; did you mean “serve”?"),
        (
            {"rule": "source_stale", "name": "inventory_late_after", "value": "2 h", "pool": "serve"},
            "What source_stale looks at is of no one pool: its thresholds are set for all.",
        ),
        ({"value": "2 h", "reason": " "}, "Say why: a reason is needed."),
        ({"value": "2 h", "reason": "x" * 301}, "The reason is longer than 300 characters."),
    ],
)
def test_what_can_not_be_set_is_refused_in_one_sentence(pool: Pool, told: dict[str, str], sentence: str) -> None:
    with pytest.raises(UnableToSetThreshold) as refused:
        put(**told)

    assert sentence.rstrip(".") in str(refused.value)
    assert not RuleThreshold.objects.exists()


def test_what_was_set_for_a_pool_before_it_was_refused_can_be_taken_back(pool: Pool) -> None:
    stale = {"rule": "source_stale", "name": "inventory_late_after"}
    RuleThreshold.objects.create(**stale, pool=pool, value="2 h", reason="?", set_by="ada", set_at=AT)

    assert put("", pool="serve", at=AT + HOUR, **stale) is not None
    assert [one.value for one in thresholds_set()] == [""]


def test_what_was_set_at_a_later_time_is_not_set_back(pool: Pool) -> None:
    put("3 h", at=AT + HOUR)

    with pytest.raises(UnableToSetThreshold, match=r"^It was set anew meanwhile\.$"):
        put("2 h", at=AT)


def test_all_rules_together_ask_once(pool: Pool, django_assert_num_queries: Any) -> None:
    put("3 h", pool="serve")
    with django_assert_num_queries(1):
        written = written_thresholds()
        limits = {rule.name: limits_of(rule, written)("serve") for rule in every_rule()}

    assert limits["reserved_unused"].unused_for == 3 * HOUR


def test_a_command_sets_it_too_and_refuses_in_one_line(pool: Pool, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("set_threshold", "reserved_unused", "unused_for", "3 h", pool="serve", reason="slow", by="ada")
    assert capsys.readouterr().out == "reserved_unused.unused_for of serve is 3 h from now on.\n"

    with pytest.raises(CommandError, match=r"is a length of time"):
        call_command("set_threshold", "reserved_unused", "unused_for", "soon", reason="slow")
