"""The rules there are, as a reader calls them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from scheduler.alerts import every_rule
from scheduler.domain.alert.finding import Rule


@cache
def rules() -> Mapping[str, Rule[Any, Any]]:
    """Every rule by its name, in the order of the registry."""
    return {rule.name: rule for rule in every_rule()}


def rule_title(name: str) -> str:
    """What a rule is called; one that is no longer there by its name."""
    rule = rules().get(name)
    return rule.title if rule else name.replace("_", " ").capitalize()


def rule_titles() -> list[tuple[str, str]]:
    """Names and titles to choose from, by title."""
    return sorted(((name, rule.title) for name, rule in rules().items()), key=lambda pair: pair[1])
