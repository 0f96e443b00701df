"""How many alerts each rule has open, and how often it fired of late."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from scheduler.domain.alert.episode import EpisodeState
from scheduler.models import AlertEpisode


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """By rule: live alerts, and those opened since an instant."""

    open: Mapping[str, int]
    fired: Mapping[str, int]


def rule_counts(*, teams: frozenset[str] | None, since: datetime) -> RuleCounts:
    """Of the alerts that ``teams`` may see (None: of all), in one query."""
    seen = AlertEpisode.objects.all() if teams is None else AlertEpisode.objects.filter(teams__overlap=sorted(teams))
    live = ~Q(state=EpisodeState.RESOLVED.value)
    rows = list(
        seen.filter(live | Q(opened_at__gte=since))
        .order_by()
        .values_list("rule")
        .annotate(open=Count("id", filter=live), fired=Count("id", filter=Q(opened_at__gte=since)))
    )
    return RuleCounts({rule: count for rule, count, _ in rows}, {rule: count for rule, _, count in rows})
