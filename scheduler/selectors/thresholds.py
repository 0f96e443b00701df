"""The thresholds of rules as they stand: defaults, what was set otherwise for all, and what for one pool."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from scheduler.domain.alert.finding import Limits, Rule
from scheduler.domain.alert.thresholds import with_values
from scheduler.models import RuleThreshold

T = TypeVar("T")

Written = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Rule → pool (blank: all) → name → value as it was written."""


@dataclass(frozen=True, slots=True)
class SetThreshold:
    """What stands for one threshold of one rule, for a pool or (blank) for all; ``value`` blank: the default again."""

    rule: str
    name: str
    pool: str
    value: str
    reason: str
    set_by: str
    set_at: datetime


@dataclass(frozen=True, slots=True)
class _Limits:
    """What a pool's own says goes before what is said for all, and that before the default."""

    defaults: Any
    written: Mapping[str, Mapping[str, str]]
    _made: dict[str, Any] = field(default_factory=dict)

    def __call__(self, pool: str = "") -> Any:
        if pool and not self.written.get(pool):
            pool = ""
        if pool not in self._made:
            own = {name: value for name, value in self.written.get(pool, {}).items() if value}
            self._made[pool] = with_values(self.defaults, {**self.written.get("", {}), **own})
        return self._made[pool]


def thresholds_set() -> list[SetThreshold]:
    """The newest of everything that was set, by rule, name and pool, in one query."""
    newest = (
        RuleThreshold.objects.order_by("rule", "name", "pool_id", "-set_at", "-id")
        .distinct("rule", "name", "pool_id")
        .values_list("rule", "name", "pool__name", "value", "reason", "set_by", "set_at")
    )
    return [SetThreshold(rule, name, pool or "", *told) for rule, name, pool, *told in newest]


def threshold_history(*, rule: str, pool: str | None = None) -> list[SetThreshold]:
    """All that was ever set for a rule, the newest first and in one query; ``pool`` blank: for all, None: of any."""
    rows = RuleThreshold.objects.filter(rule=rule)
    if pool is not None:
        rows = rows.filter(pool__name=pool) if pool else rows.filter(pool__isnull=True)
    told = rows.order_by("-set_at", "-id").values_list(
        "rule", "name", "pool__name", "value", "reason", "set_by", "set_at"
    )
    return [SetThreshold(of, name, whose or "", *same) for of, name, whose, *same in told]


def written_thresholds(standing: Sequence[SetThreshold] | None = None) -> Written:
    """What is set otherwise, of every rule, in one query at most."""
    found: defaultdict[str, defaultdict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for one in thresholds_set() if standing is None else standing:
        found[one.rule][one.pool][one.name] = one.value
    return found


def limits_of(rule: Rule[Any, T], written: Written | None = None) -> Limits[T]:
    """The thresholds of a rule for any pool; ``written`` saves the query where many rules are asked."""
    mine = (written_thresholds() if written is None else written).get(rule.name, {})
    return _Limits(rule.defaults, mine)
