"""Setting thresholds of rules otherwise: each setting is a row of its own, with its reason, and none is changed."""

from datetime import datetime

from django.db import transaction

from reservations.domain.free_text import why_not_kept
from reservations.selectors.pools import UnableToFindPool, pool_named
from reservations.services.audit import AuditAct, record_event
from scheduler.alerts import every_rule
from scheduler.domain.alert.thresholds import (
    UnableToFindThreshold,
    UnableToReadThreshold,
    read,
    rule_named,
    shown,
    threshold_named,
)
from scheduler.models import RuleThreshold

LONGEST_REASON = 300


class UnableToSetThreshold(ValueError):
    """It can't be set so; the message is one sentence."""


@transaction.atomic
def set_threshold(
    *, rule: str, name: str, pool: str, value: str, reason: str, by: str, at: datetime
) -> RuleThreshold | None:
    """Set a threshold for one pool, or (blank) for all; a blank value goes back to the default.

    None where it stands as asked already. UnableToSetThreshold for what is not known or no value, or without a reason.
    """
    why = why_not_kept(reason, pool)
    if why:
        raise UnableToSetThreshold(why)
    try:
        asked = rule_named(every_rule(), rule)
        one = threshold_named(asked.defaults, name)
        written = shown(read(value, one)) if value.strip() else ""
        pool_id = pool_named(pool).id if pool else None
    except (UnableToFindThreshold, UnableToReadThreshold, UnableToFindPool) as unable:
        raise UnableToSetThreshold(f"{unable}.") from unable
    if pool and written and not asked.by_pool:
        raise UnableToSetThreshold(f"What {rule} looks at is of no one pool: its thresholds are set for all.")
    if not reason.strip():
        raise UnableToSetThreshold("Say why: a reason is needed.")
    if len(reason) > LONGEST_REASON:
        raise UnableToSetThreshold(f"The reason is longer than {LONGEST_REASON} characters.")
    rows = RuleThreshold.objects.select_for_update().filter(rule=rule, name=name, pool_id=pool_id)
    newest = rows.order_by("-set_at", "-id").first()
    if (newest.value if newest else "") == written:
        return None
    if newest is not None and newest.set_at > at:
        raise UnableToSetThreshold("It was set anew meanwhile.")
    made = RuleThreshold.objects.create(
        rule=rule, name=name, pool_id=pool_id, value=written, reason=reason.strip(), set_by=by, set_at=at
    )
    record_event(
        what=AuditAct.THRESHOLD_SET,
        about="rule_threshold",
        ident=f"{rule} {name} {pool}".rstrip(),
        by=by,
        before={"value": newest.value} if newest else None,
        after={"value": written},
        why=reason.strip(),
    )
    return made
