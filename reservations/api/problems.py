"""What goes wrong, as RFC 9457 has it: JSON of the type ``application/problem+json``."""

from http import HTTPStatus

from django.http import HttpResponse
from ninja import Schema
from pydantic import Field

from reservations.tables.writing import json_text

MEDIA_TYPE = "application/problem+json"


class ParameterProblem(Schema):
    """One parameter that cannot be read."""

    parameter: str = Field(description="its name", examples=["month"])
    detail: str = Field(description="one sentence", examples=["“2026-13” is not a month."])


class Problem(Schema):
    """Why there is no answer."""

    type: str = Field(description="always about:blank: the status says it", examples=["about:blank"])
    title: str = Field(description="the status in words", examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(description="one sentence for people", examples=["There is no such pool."])
    errors: list[ParameterProblem] = Field(description="each parameter that cannot be read; empty otherwise")


class UnableToAnswerCall(Exception):
    """A call there is no answer to; the message is one sentence for who called."""

    def __init__(self, status: HTTPStatus, detail: str, *, parameter: str = "") -> None:
        super().__init__(detail)
        self.status = status
        self.parameter = parameter


PROBLEMS: dict[int, type[Problem]] = {
    HTTPStatus.UNAUTHORIZED.value: Problem,
    HTTPStatus.FORBIDDEN.value: Problem,
    HTTPStatus.UNPROCESSABLE_ENTITY.value: Problem,
    HTTPStatus.TOO_MANY_REQUESTS.value: Problem,
}
"""What every call may be answered with instead."""

NOT_FOUND: dict[int, type[Problem]] = {HTTPStatus.NOT_FOUND.value: Problem}
UNREADABLE: dict[int, type[Problem]] = {HTTPStatus.BAD_REQUEST.value: Problem}
"""Of calls with a body: what is no JSON at all."""


def unreadable(parameter: str, sentence: str) -> UnableToAnswerCall:
    """A parameter that cannot be read."""
    return UnableToAnswerCall(HTTPStatus.UNPROCESSABLE_ENTITY, sentence, parameter=parameter)


def not_there(sentence: str) -> UnableToAnswerCall:
    """What does not exist, or not for who asks: nobody learns which."""
    return UnableToAnswerCall(HTTPStatus.NOT_FOUND, sentence)


def problem_response(status: int, detail: str, *, errors: list[dict[str, str]] | None = None) -> HttpResponse:
    """The answer of a status with one sentence."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "errors": errors or [],
    }
    response = HttpResponse(json_text(body), status=status, content_type=MEDIA_TYPE)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="moorage"'
    return response
