"""The fields of a draft as its form shows them: each with its text and the sentence of what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.typed import ANSWER, FIELDS


@dataclass(frozen=True, slots=True)
class Field:
    """One field; ``problem`` blank where nothing is wrong."""

    name: str
    text: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """One question of the type, as a field with its label."""

    field: Field
    label: str
    needed: bool


def fields_of(typed: Mapping[str, str], problems: Mapping[str, str]) -> dict[str, Field]:
    """Every field by its name."""
    return {name: Field(name, typed.get(name, ""), problems.get(name, "")) for name in FIELDS}


def questions_of(typed: Mapping[str, str], problems: Mapping[str, str]) -> list[Asking]:
    """The questions of the chosen type; none where none is chosen."""
    try:
        kind = ExceptionType(typed.get("kind", ""))
    except ValueError:
        return []
    names = ((ANSWER + one.key, one) for one in TYPES[kind].questions)
    return [
        Asking(Field(name, typed.get(name, ""), problems.get(name, "")), one.label, one.needed) for name, one in names
    ]


def meaning_of(typed: Mapping[str, str]) -> str:
    """When the chosen type is the one to choose; blank where none is chosen."""
    kind = typed.get("kind", "")
    return TYPES[ExceptionType(kind)].meaning if kind in {one.value for one in ExceptionType} else ""


def posted(said: QueryDict, before: Mapping[str, str]) -> dict[str, str]:
    """What a form says over what was typed before: a box that is not ticked is blank, answers of other types stay."""
    kept = {name: text for name, text in said.items() if name in FIELDS or name.startswith(ANSWER)}
    return {**before, "confidential": "", **{name: str(text).replace("\r\n", "\n") for name, text in kept.items()}}


def number_in(text: str | None) -> int | None:
    """The number of the last save, as a form hands it back; None for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 9 else None
