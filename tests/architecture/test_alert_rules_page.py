"""The page of alert rules says what the code does: each rule, its thresholds with their reasons, and the causes."""

import re
from typing import Any

import pytest

from scheduler.alerts import RULES, every_rule
from scheduler.domain.alert.double_cause import SENTENCES
from scheduler.domain.alert.finding import Rule
from scheduler.domain.alert.thresholds import shown, thresholds_of
from scheduler.domain.alert.unused_cause import WHEN
from tests.architecture.tree import ROOT

PAGE = (ROOT / "docs" / "alert-rules.md").read_text()
SECTIONS = {part.split("\n", 1)[0]: part for part in PAGE.split("\n## ")[1:]}


def rows(section: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_rule_has_its_section_in_the_order_of_the_rules() -> None:
    assert [name for name in SECTIONS if re.fullmatch(r"[a-z_]+", name)] == list(RULES)


@pytest.mark.parametrize("rule", every_rule(), ids=list(RULES))
def test_a_section_says_when_its_rule_fires_and_every_threshold_with_its_reason(rule: Rule[Any, Any]) -> None:
    assert f"**{rule.title}.** {rule.what}" in " ".join(SECTIONS[rule.name].split())
    assert rows(rule.name) == [
        [f"`{one.name}`", shown(one.default), one.why.reason] for one in thresholds_of(rule.defaults)
    ]


def test_the_causes_are_those_of_the_code_in_the_order_they_are_looked_for() -> None:
    assert rows("Causes of unused slots") == [[f"`{cause.value}`", when] for cause, when in WHEN.items()]
    assert [row[0] for row in rows("Causes of what is paid twice")] == [f"`{cause.value}`" for cause in SENTENCES]
