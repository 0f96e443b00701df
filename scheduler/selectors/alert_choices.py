"""What alerts can be narrowed by, and whose some of them are."""

from collections.abc import Collection
from dataclasses import dataclass

from scheduler.domain.alert.episode import EpisodeState
from scheduler.models import AlertEpisode


@dataclass(frozen=True, slots=True)
class AlertChoices:
    """Teams and pools that any live alert is of, by name."""

    owners: tuple[str, ...]
    pools: tuple[str, ...]


def alert_choices(*, teams: frozenset[str] | None) -> AlertChoices:
    """Of the alerts that ``teams`` may see (None: of all), in one query."""
    live = AlertEpisode.objects.exclude(state=EpisodeState.RESOLVED.value)
    seen = live if teams is None else live.filter(teams__overlap=sorted(teams))
    pairs = list(seen.order_by().values_list("owner", "pool").distinct())
    owners, pools = ({pair[place] for pair in pairs} - {""} for place in (0, 1))
    return AlertChoices(tuple(sorted(owners)), tuple(sorted(pools)))


def teams_of_alerts(*, ids: Collection[int]) -> dict[int, frozenset[str]]:
    """The teams that may see each of some alerts; one that there is not is left out."""
    found = AlertEpisode.objects.filter(pk__in=list(ids)).order_by("pk").values_list("pk", "teams")
    return {pk: frozenset(teams) for pk, teams in found}
