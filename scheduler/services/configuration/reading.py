"""A configuration file as plain values with the line each stands on; YAML's surprises are refused, not guessed.

A number is kept digit by digit, a day as it is written, and a key that stands twice is an error.
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import yaml

Place = tuple[str | int, ...]

MOST_BYTES = 5 * 1024 * 1024
DEEPEST = 20

_TAGS = frozenset({"map", "seq", "str", "int", "float", "bool", "null", "timestamp", "value", "merge"})


class UnableToApply(Exception):
    """A configuration file can't be applied; ``problems`` holds one sentence for each thing to mend."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(slots=True)
class Written:
    """What stands in a file, and on which line each value begins."""

    values: object
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """The line of a place, or of the nearest thing around it."""
        while place not in self.lines and place:
            place = place[:-1]
        return self.lines.get(place, 1)


def written_in(path: Path) -> Written:
    """The values of a YAML file; UnableToApply when it can't be read as one."""
    text = _text(path)
    try:
        node = _Composer(text).get_single_node()
        if node is None:
            raise UnableToApply([f"{path} is empty: it says nothing to apply"])
        written = Written(None)
        problems: list[str] = []
        written.values = _plain(node, (), written.lines, problems)
    except yaml.YAMLError as error:
        raise UnableToApply([f"{path} is not YAML: {_complaint(error)}"]) from error
    except (OverflowError, ValueError) as error:  # an escape beyond Unicode: YAML's own reader does not catch it
        raise UnableToApply([f"{path} is not YAML: {error}"]) from error
    except RecursionError as error:
        raise UnableToApply([f"{path} is nested too deep to be a configuration"]) from error
    if problems:
        raise UnableToApply(problems)
    if not isinstance(written.values, dict):
        raise UnableToApply([f"{path} must be a table of keys such as “pools:”, not {_kind(written.values)}"])
    return written


class _Composer(yaml.SafeLoader):
    """YAML nodes without aliases: a short file could stand for an endless one."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise yaml.composer.ComposerError(None, None, "aliases are not read here: write it out", event.start_mark)
        return super().compose_node(parent, index)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnableToApply([f"{path} can't be read: {(error.strerror or str(error)).lower()}"]) from error
    if len(content) > MOST_BYTES:
        raise UnableToApply([f"{path} is larger than {MOST_BYTES // 1024 // 1024} MB: that is no configuration"])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnableToApply([f"{path} is not UTF-8 text (line {line}): save it as UTF-8"]) from error


def _plain(node: yaml.Node, place: Place, lines: dict[Place, int], problems: list[str]) -> object:
    lines[place] = node.start_mark.line + 1
    if len(place) > DEEPEST:
        problems.append(f"line {lines[place]}: nested deeper than {DEEPEST} levels")
        return None
    tag = node.tag.rpartition(":")[2]
    if tag not in _TAGS:
        problems.append(f"line {lines[place]}: the tag {node.tag} is not read here")
        return None
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, (*place, number), lines, problems) for number, child in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _table(node, place, lines, problems)
    if "\0" in node.value:
        problems.append(f"line {lines[place]}: a text holds the character NUL, which can't be stored")
    return _scalar(node.value, tag)


def _table(node: yaml.MappingNode, place: Place, lines: dict[Place, int], problems: list[str]) -> dict[str, object]:
    table: dict[str, object] = {}
    for key, child in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            problems.append(f"line {line}: a key must be a word")
            continue
        if key.value in table:
            first = lines[(*place, key.value)]
            problems.append(
                f"line {line}: the key “{key.value}” stands here for the second time (first on line {first})"
            )
        table[key.value] = _plain(child, (*place, key.value), lines, problems)
        lines[(*place, key.value)] = line
    return table


def _scalar(text: str, tag: str) -> object:
    if tag == "null":
        return None
    if tag == "bool":
        return yaml.SafeLoader.bool_values.get(text.lower(), text)
    if tag == "int" and re.fullmatch(r"[-+]?(0|[1-9]\d{0,17})", text):
        return int(text)
    if tag == "float" and re.fullmatch(r"[-+]?\d{1,18}\.\d{0,18}", text):
        return Decimal(text)
    return text


def _complaint(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    said = getattr(error, "problem", None) or getattr(error, "reason", None) or getattr(error, "context", None)
    where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return f"{where}{said or 'it can not be parsed'}"


def _kind(value: object) -> str:
    return "a list" if isinstance(value, list) else "a single value"
