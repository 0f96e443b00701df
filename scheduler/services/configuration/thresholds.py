"""Thresholds of alert rules, as a configuration file says; what the file does not write stays as it was set."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import model_validator

from reservations.domain.change import Change, Outcome
from reservations.services.configuration.texts import Entry, Name, Text, shaped
from scheduler.alerts import every_rule
from scheduler.domain.alert.thresholds import (
    UnableToFindThreshold,
    UnableToReadThreshold,
    read,
    rule_named,
    threshold_named,
)
from scheduler.services.alerts.thresholds import LONGEST_REASON, set_threshold

ENTERED_BY = "configuration file"


class ThresholdEntry(Entry):
    """One threshold of a rule set otherwise, for one pool or for all; ``default`` goes back to the default."""

    rule: Name
    name: Name
    value: Text
    pool: Name | None = None
    reason: Annotated[Text, shaped(rf"[^\n]{{1,{LONGEST_REASON}}}", f"is longer than {LONGEST_REASON} characters")] = (
        "as the configuration file says"
    )

    @model_validator(mode="after")
    def _known(self) -> "ThresholdEntry":
        try:
            rule = rule_named(every_rule(), self.rule)
            one = threshold_named(rule.defaults, self.name)
            if self.written_value:
                read(self.written_value, one)
        except (UnableToFindThreshold, UnableToReadThreshold) as unable:
            raise ValueError(str(unable)) from unable
        if self.pool is not None and not rule.by_pool:
            raise ValueError(f"what {self.rule} looks at is of no one pool: leave “pool” out")
        return self

    @property
    def written_value(self) -> str:
        """The value as it is kept: blank for the default."""
        return "" if self.value == "default" else self.value

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is about: of one there is one value."""
        return self.rule, self.name, self.pool or ""


def configure_thresholds(*, entries: Sequence[ThresholdEntry], as_of: datetime) -> list[Change]:
    """Set each that differs from what stands, with its reason; the same file again sets none."""
    return [_set(entry, as_of) for entry in entries]


def _set(entry: ThresholdEntry, as_of: datetime) -> Change:
    label = " ".join(filter(None, (f"{entry.rule}.{entry.name}", entry.pool and f"of {entry.pool}")))
    made = set_threshold(
        rule=entry.rule,
        name=entry.name,
        pool=entry.pool or "",
        value=entry.written_value,
        reason=entry.reason,
        by=ENTERED_BY,
        at=as_of,
    )
    if made is None:
        return Change("threshold", label, Outcome.UNCHANGED)
    return Change("threshold", label, Outcome.UPDATED, ("value",), after={"value": made.value or "default"})
