"""``/api/v1/docs``: the description of the API as a page in our frame, without a script of anybody's."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.api import api


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a call in words."""

    name: str
    place: str
    form: str
    required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Member:
    """One key of an answer in words; ``shape`` names another table of keys."""

    name: str
    form: str
    shape: str
    nullable: bool
    description: str


@dataclass(frozen=True, slots=True)
class Call:
    """One address and what may be done with it; ``body`` says what must be sent along, blank for nothing."""

    key: str
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[Parameter, ...]
    body: str
    answer: str
    refusals: tuple[tuple[str, str], ...]


@require_safe
def api_reference(request: HttpRequest) -> HttpResponse:
    """Every call with its parameters and its answer's keys, from the same description as ``openapi.json``."""
    schema = api.get_openapi_schema()
    shapes = {name: members(shape) for name, shape in sorted(schema["components"]["schemas"].items())}
    context = {
        "crumbs": (("Preferences", "/me/"), ("API reference", "")),
        "about": schema["info"]["description"],
        "calls": [
            call(path, method.upper(), told)
            for path, methods in schema["paths"].items()
            for method, told in methods.items()
        ],
        "shapes": {name: told for name, told in shapes.items() if told},
    }
    return render(request, "api/reference.html", context)


def call(path: str, method: str, told: dict[str, Any]) -> Call:
    """One operation of the description."""
    answer = told["responses"]["200"]["content"]["application/json"]["schema"]
    return Call(
        key=told["operationId"],
        method=method,
        path=path,
        summary=told["summary"],
        description=told.get("description", ""),
        parameters=tuple(map(parameter, told["parameters"])),
        body=told.get("requestBody", {}).get("description", ""),
        answer=shape_of(answer),
        refusals=tuple((code, one["description"]) for code, one in told["responses"].items() if code != "200"),
    )


def parameter(told: dict[str, Any]) -> Parameter:
    """One parameter of the description."""
    form = form_of(told["schema"])
    return Parameter(told["name"], told["in"], form, told["required"], told.get("description", ""))


def members(shape: dict[str, Any]) -> tuple[Member, ...]:
    """The keys of one schema."""
    return tuple(
        Member(name, form_of(one), shape_of(one), _nullable(one), one.get("description", ""))
        for name, one in shape.get("properties", {}).items()
    )


def form_of(schema: dict[str, Any]) -> str:
    """What a value is in a few words: ``number``, ``list of text``, ``instant``, ``hour, day or month``."""
    schema = _solid(schema)
    if "enum" in schema or "const" in schema:
        return " · ".join(str(value) for value in schema.get("enum", [schema.get("const")]) if value != "")
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if schema.get("type") == "array":
        return f"list of {form_of(schema['items'])}"
    return _WORDS.get(schema.get("format", ""), _WORDS.get(schema.get("type", ""), schema.get("type", "")))


def shape_of(schema: dict[str, Any]) -> str:
    """The name of the schema a value or a list's values have; blank for plain ones."""
    schema = _solid(schema)
    if schema.get("type") == "array":
        return shape_of(schema["items"])
    return schema["$ref"].rsplit("/", 1)[-1] if "$ref" in schema else ""


_WORDS = {
    "string": "text",
    "integer": "whole number",
    "boolean": "true or false",
    "date-time": "instant",
    "date": "day",
    "object": "texts by key",
}


def _nullable(schema: dict[str, Any]) -> bool:
    return any(one.get("type") == "null" for one in schema.get("anyOf", []))


def _solid(schema: dict[str, Any]) -> dict[str, Any]:
    solid = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
    return solid[0] if solid else schema
