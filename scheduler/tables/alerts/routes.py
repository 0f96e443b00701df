"""Where messages go, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler.domain.alert.delivery import ChannelName
from scheduler.domain.alert.severity import Severity
from scheduler.selectors.notification_routes import RouteRow
from scheduler.tables.alerts.rules import rule_title

CHANNELS = {ChannelName.EMAIL: "e-mail", ChannelName.APPRISE: "apprise", ChannelName.WEBHOOK: "webhook"}
_OF = {
    Severity.NOTICE: "everything",
    Severity.WARNING: "warnings and what is critical",
    Severity.CRITICAL: "what is critical",
}
TOLD = 3


@dataclass(frozen=True, slots=True)
class RouteShown:
    """One route: where it leads, what it is told of and when, and how it fares."""

    row: RouteRow
    channel: str
    of: str
    when: str
    quiet: str
    rules: str
    state: str
    tone: str


def routes_shown(rows: Sequence[RouteRow]) -> list[RouteShown]:
    """Routes in their order, in words."""
    return [_shown(row) for row in rows]


def _shown(row: RouteRow) -> RouteShown:
    state, tone = _state(row)
    return RouteShown(
        row=row,
        channel=CHANNELS[row.channel],
        of=_OF[row.least],
        when=_when(row),
        quiet=f"{row.quiet_from:%H:%M}–{row.quiet_until:%H:%M}" if row.quiet_from and row.quiet_until else "",
        rules=_rules(row),
        state=state,
        tone=tone,
    )


def _when(row: RouteRow) -> str:
    digest = f"in a digest at {row.digest_hour:02d}:00 {row.zone}"
    if row.at_once_from.rank <= row.least.rank:
        return "all of it at once"
    return f"{_OF[row.at_once_from]} at once, the rest {digest}"


def _rules(row: RouteRow) -> str:
    titles = sorted(rule_title(name) for name in row.rules)
    if not titles:
        return "every rule"
    more = f" and {len(titles) - TOLD} more" if len(titles) > TOLD else ""
    return f"{', '.join(titles[:TOLD])}{more}"


def _state(row: RouteRow) -> tuple[str, str]:
    if not row.enabled:
        return "switched off", "over"
    return ("failing", "bad") if row.failing_since else ("in use", "good")
