"""Setting a threshold of a rule otherwise, for a pool or for all; nothing that was set is changed afterwards."""

from datetime import datetime

from reservations.selectors.pools import pool_named
from scheduler.alerts import every_rule
from scheduler.domain.alert.thresholds import UnableToFindThreshold, read, threshold_named
from scheduler.models import RuleThreshold


def set_threshold(*, rule: str, name: str, pool: str, value: str, reason: str, by: str, at: datetime) -> None:
    """Set one for a pool (blank: for all); a blank value is the default again.

    UnableToFindThreshold, UnableToFindPool or UnableToReadThreshold, each with one sentence, and nothing is set.
    """
    defaults = {one.name: one.defaults for one in every_rule()}
    if rule not in defaults:
        raise UnableToFindThreshold(f"there is no rule “{rule}”")
    threshold = threshold_named(defaults[rule], name)
    if value.strip():
        read(value, threshold)
    pool_id = pool_named(pool).id if pool else None
    RuleThreshold.objects.create(
        rule=rule, name=name, pool_id=pool_id, value=value.strip(), reason=reason.strip(), set_by=by, set_at=at
    )
