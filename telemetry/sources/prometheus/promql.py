"""PromQL in small pieces: selectors whose values cannot break out of their quotes."""

from collections.abc import Iterable

from telemetry.sources.prometheus.names import checked_name

RE2_SPECIAL = frozenset(r"\.+*?()|[]{}^$")


def quoted(text: str) -> str:
    """A PromQL string that means exactly this text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def literal(text: str) -> str:
    """An RE2 expression that matches exactly this text."""
    return "".join(f"\\{char}" if char in RE2_SPECIAL else char for char in text)


def equal(label: str, value: str) -> str:
    """A matcher for one value; blank also matches where the label is absent."""
    return f"{checked_name(label)}={quoted(value)}"


def present(label: str) -> str:
    """A matcher for series that carry the label."""
    return f'{checked_name(label)}!=""'


def one_of(label: str, values: Iterable[str], *, prefix: str = "", or_absent: bool = False) -> str:
    """A matcher for any of these values, or any that begins with ``prefix``, or a series without the label."""
    choices = [literal(value) for value in values]
    if prefix:
        choices.append(f"{literal(prefix)}.*")
    if or_absent:
        choices.insert(0, "")
    return f"{checked_name(label)}=~{quoted('|'.join(choices))}"


def selector(metrics: str | Iterable[str], *matchers: str) -> str:
    """A vector selector over one metric or several; blank matchers are left out."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    wanted = [matcher for matcher in matchers if matcher]
    if len(names) == 1:
        return f"{checked_name(names[0])}{{{','.join(wanted)}}}"
    return f"{{{','.join([one_of('__name__', map(checked_name, names)), *wanted])}}}"
