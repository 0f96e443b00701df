"""Each rule as its page shows it: when it fires, how often it did, and what its thresholds are for whom."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from scheduler.domain.alert.thresholds import Threshold, UnableToReadThreshold, read, shown, thresholds_of
from scheduler.selectors.alert_counts import RuleCounts
from scheduler.selectors.thresholds import SetThreshold
from scheduler.tables.alerts.rules import rules


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What stands for one pool, or (blank) for all: the value, who set it, when and why."""

    pool: str
    value: str
    reason: str
    set_by: str
    set_at: datetime


@dataclass(frozen=True, slots=True)
class ThresholdShown:
    """One threshold: its default with the reason, between what it may lie, and what was set otherwise."""

    name: str
    label: str
    default: str
    reason: str
    least: str
    most: str
    otherwise: tuple[Otherwise, ...]


@dataclass(frozen=True, slots=True)
class RuleShown:
    """One rule; ``silent``: of how many subjects nothing could be said when it was last asked."""

    name: str
    title: str
    what: str
    open: int
    fired: int
    silent: int
    failed: str
    by_pool: bool
    thresholds: tuple[ThresholdShown, ...]


def rules_shown(
    standing: Sequence[SetThreshold],
    counts: RuleCounts,
    *,
    silent: Mapping[str, int],
    failed: Mapping[str, str],
    pools: Collection[str],
) -> list[RuleShown]:
    """Every rule in the registry's order; of pools only those in ``pools`` are named."""
    told = [one for one in standing if not one.pool or one.pool in pools]
    return [
        RuleShown(
            name=name,
            title=rule.title,
            what=rule.what,
            open=counts.open.get(name, 0),
            fired=counts.fired.get(name, 0),
            silent=silent.get(name, 0),
            failed=failed.get(name, ""),
            by_pool=rule.by_pool,
            thresholds=tuple(
                _threshold(one, [s for s in told if (s.rule, s.name) == (name, one.name)])
                for one in thresholds_of(rule.defaults)
            ),
        )
        for name, rule in rules().items()
    ]


def history_shown(history: Iterable[SetThreshold], pools: Collection[str]) -> list[tuple[str, Otherwise]]:
    """What was ever set for a rule, with the threshold's label; of pools only those in ``pools``."""
    seen = (one for one in history if not one.pool or one.pool in pools)
    return [(label_of(one.name), _otherwise(one, one.value or "the default again")) for one in seen]


def label_of(name: str) -> str:
    """``unused_for`` as a reader says it."""
    return name.replace("_", " ")


def _threshold(one: Threshold, standing: Sequence[SetThreshold]) -> ThresholdShown:
    return ThresholdShown(
        name=one.name,
        label=label_of(one.name),
        default=shown(one.default),
        reason=one.why.reason,
        least=shown(one.why.least),
        most=shown(one.why.most),
        otherwise=tuple(
            _otherwise(said, _as_read(said.value, one))
            for said in sorted(standing, key=lambda said: said.pool)
            if said.value
        ),
    )


def _as_read(written: str, one: Threshold) -> str:
    try:
        return shown(read(written, one))
    except UnableToReadThreshold:
        return f"{written}, which is no longer understood: the default holds"


def _otherwise(one: SetThreshold, value: str) -> Otherwise:
    return Otherwise(one.pool, value, one.reason, one.set_by, one.set_at)
