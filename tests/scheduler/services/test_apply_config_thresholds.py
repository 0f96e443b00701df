"""Thresholds of alert rules out of a configuration file: checked whole, set once, and read by the rules."""

import json
from collections import Counter
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from scheduler.models import RuleThreshold
from tests.scheduler.configuration_file import GOOD, apply

pytestmark = pytest.mark.django_db

FOR_ALL = "{rule: reserved_unused, name: unused_for, value: 90 min, reason: nodes boot slowly here}"
FOR_ONE = '{rule: wrong_zone, name: nodes, value: "4", pool: reserved-h100}'


def written(*lines: str) -> str:
    return f"{GOOD}thresholds:\n" + "".join(f"  - {line}\n" for line in lines)


def outcomes(folder: Path, *lines: str) -> Counter[str]:
    out, _ = apply(folder, written(*lines))
    return Counter(change["outcome"] for change in json.loads(out)["changes"] if change["kind"] == "threshold")


def stands() -> list[tuple[str, str, str, str]]:
    rows = RuleThreshold.objects.order_by("id").values_list("rule", "pool__name", "value", "set_by")
    return [(rule, pool or "", value, by) for rule, pool, value, by in rows]


def test_they_are_set_once_and_go_back_to_the_default(tmp_path: Path) -> None:
    assert outcomes(tmp_path, FOR_ALL, FOR_ONE) == {"updated": 2}
    assert outcomes(tmp_path, FOR_ALL, FOR_ONE) == {"unchanged": 2}
    assert outcomes(tmp_path) == {}
    told = [
        ("reserved_unused", "", "90 min", "configuration file"),
        ("wrong_zone", "reserved-h100", "4", "configuration file"),
    ]
    assert stands() == told
    assert outcomes(tmp_path, FOR_ALL.replace("90 min", "default")) == {"updated": 1}
    assert stands()[-1] == ("reserved_unused", "", "", "configuration file")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (FOR_ALL.replace("reserved_unused", "reserved_unsued"), "there is no rule “reserved_unsued”"),
        (FOR_ALL.replace("unused_for", "unused_four"), "there is no threshold “unused_four”"),
        (FOR_ALL.replace("90 min", "soon"), "is a length of time"),
        (FOR_ALL.replace("90 min", "10 min"), "must lie between 60 min and 7 d"),
        (FOR_ONE.replace("reserved-h100", "reserved-h10"), "there is no pool “reserved-h10”"),
        ("{rule: source_stale, name: metrics_late_after, value: 3 h, pool: reserved-h100}", "of no one pool"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line_and_nothing_is_set(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        apply(tmp_path, written(FOR_ALL, line))
    assert "line" in str(refused.value)
    assert not RuleThreshold.objects.exists()


def test_one_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="this threshold stands on line"):
        apply(tmp_path, written(FOR_ALL, FOR_ALL.replace("90", "120")))
