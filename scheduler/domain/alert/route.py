"""How one address wants to be told: of which rules, from which severity on, at once or in the day's digest, and when
it is left alone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import time

from reservations.domain.period import UnableToReadTime, zone
from scheduler.domain.alert.delivery import ChannelName
from scheduler.domain.alert.hours import is_quiet
from scheduler.domain.alert.severity import Severity

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class RouteValues:
    """What a person says of one address. ``rules`` none: every one.

    ``address`` and ``secret`` are written and never read back; blank in a change: as they stand.
    """

    name: str
    channel: ChannelName
    address: str = ""
    secret: str = ""
    rules: frozenset[str] = frozenset()
    least: Severity = Severity.NOTICE
    at_once_from: Severity = Severity.CRITICAL
    digest_hour: int = 8
    zone: str = "UTC"
    quiet_from: time | None = None
    quiet_until: time | None = None
    enabled: bool = True


def wrong_values(values: RouteValues, *, rules: Collection[str]) -> Mapping[str, str]:
    """What is wrong with them: one sentence for each field, by its name; empty where all is well."""
    wrong = {
        "name": _why_not_name(values.name),
        "rules": _why_not_rules(values.rules, rules),
        "digest_hour": "" if 0 <= values.digest_hour < 24 else "The hour of the digest is one from 0 to 23.",
        "zone": _why_not_zone(values.zone),
        "quiet_until": _why_not_quiet(values.quiet_from, values.quiet_until),
    }
    if not any(wrong.values()) and _in_quiet(values):
        wrong["digest_hour"] = "The hour of the digest lies in the quiet hours."
    return {name: said for name, said in wrong.items() if said}


def _why_not_name(name: str) -> str:
    if not name.strip():
        return "A route has a name, so that it can be told from others."
    if len(name) > LONGEST_NAME or not name.isprintable():
        return f"A name is one line of {LONGEST_NAME} characters at most."
    return ""


def _why_not_rules(asked: frozenset[str], known: Collection[str]) -> str:
    odd = sorted(asked - set(known))
    return f"There is no rule called {odd[0]}." if odd else ""


def _why_not_zone(name: str) -> str:
    try:
        zone(name)
    except UnableToReadTime:
        return f"“{name[:64]}” is not a time zone: write it as Europe/Berlin."
    return ""


def _why_not_quiet(start: time | None, end: time | None) -> str:
    if (start is None) != (end is None):
        return "Quiet hours have a beginning and an end."
    if start is not None and start == end:
        return "Quiet hours end at another time than they begin: switch the route off to hear nothing."
    return ""


def _in_quiet(values: RouteValues) -> bool:
    return is_quiet(time(values.digest_hour), values.quiet_from, values.quiet_until)
