"""What the description of the API says beyond what is read from the code: the type of problems, and their headers."""

from copy import deepcopy
from typing import Any

from reservations.api.problems import MEDIA_TYPE

TOKEN = "AccessTokenAuth"  # noqa: S105 (the name of a scheme, not a secret) # nosec B105
SESSION = "SessionAuth"
MEANINGS = {
    TOKEN: "An access token of your own page, /me/. It may be used for its scopes alone.",
    SESSION: "The cookie of a browser that is logged in.",
}
REFUSALS = {
    "400": "The body is no JSON",
    "401": "No token, or one that opens nothing: unknown, expired and revoked are answered alike",
    "403": "The token lacks the scope of this call",
    "404": "It does not exist, or is not for you: both are answered alike",
    "409": "It is there already in other words, or you have as many runs under way as one may have",
    "413": "The body is too large",
    "422": "A parameter or the body cannot be read, or asks for too much",
    "429": "Too many calls within a minute",
}
HEADERS = {
    "401": {"WWW-Authenticate": {"description": "How to say who you are", "schema": {"type": "string"}}},
    "429": {"Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer"}}},
}


def described(schema: Any) -> Any:
    """The schema with every refusal as problem+json, its ways in explained, and parameters as a query can hold them."""
    for methods in schema["paths"].values():
        for operation in methods.values():
            told = sorted((str(code), response) for code, response in operation["responses"].items())
            operation["responses"] = {code: _response(code, response) for code, response in told}
            operation["parameters"] = [_parameter(one) for one in operation["parameters"]]
    schemes = schema["components"].get("securitySchemes", {})
    for name, scheme in schemes.items():
        schemes[name] = {**scheme, "description": MEANINGS[name]}
    return schema


def _response(code: str, told: dict[str, Any]) -> dict[str, Any]:
    if code not in REFUSALS:
        return told
    response = deepcopy(told) | {"description": REFUSALS[code]}
    response["content"] = {MEDIA_TYPE: next(iter(told["content"].values()))}
    return response | ({"headers": HEADERS[code]} if code in HEADERS else {})


def _parameter(told: dict[str, Any]) -> dict[str, Any]:
    """Without null, which no query can hold, and with its examples where the schema has them."""
    schema = dict(told["schema"])
    solid = [one for one in schema.pop("anyOf", []) if one.get("type") != "null"]
    parameter = {key: value for key, value in told.items() if key != "examples"}
    return parameter | {"schema": {**schema, **solid[0]} if solid else schema}
