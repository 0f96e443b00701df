"""What pydantic found, as sentences that name the place and what to mend."""

from collections.abc import Mapping, Sequence
from typing import get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from reservations.domain.suggestion import nearest
from scheduler.services.configuration.reading import Place

_WANTED = {
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be a table of keys",
    "model_type": "must be a table of keys",
    "model_attributes_type": "must be a table of keys",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
}


def place_name(place: Place) -> str:
    """A place as it is read: ``pools[1].queues[0].owner``."""
    name = ""
    for part in place:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else part
    return name


def sentence(error: ErrorDetails, *, entry: type[BaseModel], section: Place) -> tuple[Place, str]:
    """Where one error stands and what is wrong there."""
    place: Place = (*section, *error["loc"])
    kind, given, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "missing":
        return place[:-1], f"the key “{place[-1]}” is missing"
    if kind == "extra_forbidden":
        return place, f"there is no such key{nearest(str(place[-1]), keys_at(entry, error['loc'][:-1]))}"
    if kind == "value_error":
        return place, str(context["error"])
    if kind == "literal_error":
        words = str(context["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        return place, f"“{given}” is not known here{nearest(str(given), words)}"
    return place, _wanted(kind, given, context)


def keys_at(entry: type[BaseModel], inner: Sequence[str | int]) -> list[str]:
    """The keys an entry, or one inside it, may have."""
    for part in inner:
        if isinstance(part, str):
            entry = _model_in(entry.model_fields[part].annotation) or entry
    return [field.alias or name for name, field in entry.model_fields.items()]


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)


def _wanted(kind: str, given: object, context: Mapping[str, object]) -> str:
    if kind == "string_too_long":
        return f"is longer than {context['max_length']} characters"
    if kind == "greater_than_equal":
        return f"must be at least {context['ge']}, and this is {given}"
    if kind == "less_than_equal":
        return f"must be at most {context['le']}, and this is {given}"
    wanted = _WANTED.get(kind, "can't be read")
    if kind == "string_type" and not isinstance(given, dict | list):
        return (
            f"{wanted}, and this is {given}: write it in quotes" if given is not None else f"{wanted}, not left empty"
        )
    return wanted
