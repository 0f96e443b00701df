"""The one API: its routers, what it says when something goes wrong, and its description."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, re_path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError
from ninja.operation import Operation
from ninja.renderers import BaseRenderer

from config.api_description import described
from reservations.api.callers import CallRate, opens
from reservations.api.pools import router as pools
from reservations.api.problems import UnableToAnswerCall, problem_response
from reservations.api.reservations import router as reservations
from reservations.tables.writing import json_text
from scheduler.api.alerts import router as alerts
from scheduler.api.allocation import router as allocation
from scheduler.api.blocks import router as blocks
from scheduler.api.exceptions import router as exceptions
from scheduler.api.recommendations import router as recommendations
from scheduler.api.renewals import router as renewals
from scheduler.api.sizing import router as sizing
from telemetry.api.health import router as health
from telemetry.api.money import router as money
from telemetry.api.usage import router as usage

log = logging.getLogger(__name__)

IN_OUR_WORDS = {"string_pattern_mismatch": "It holds a character that no name has."}
"""What the library would explain with a regular expression."""


class ExactJson(BaseRenderer):
    """JSON in which decimals are numbers with all their digits, as the commands print it."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        return json_text(data)


class MoorageApi(NinjaAPI):
    """The API with problems described as what they are."""

    def get_openapi_schema(self, **given: Any) -> Any:
        return described(super().get_openapi_schema(**given))

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


api = MoorageApi(
    title="Moorage",
    version="1",
    description="What is reserved, what ran on it, for whom, and how fresh that knowledge is, read with GET in the name"
    " of a person, and no more than that person may see. And the allocator, which answers scenarios sent to it.",
    renderer=ExactJson(),
    docs_url=None,
    openapi_url=None,
    urls_namespace="api",
    throttle=CallRate(),
)
# A month's address also looks like a pool's: it comes first.
for router in (money, usage, pools, reservations, health, sizing, recommendations, allocation, blocks, alerts):
    api.add_router("", router)

api.add_router("", renewals)
api.add_router("", exceptions)


@api.get("/openapi.json", auth=opens(None), include_in_schema=False)
def description(request: HttpRequest) -> dict[str, Any]:
    """This API in OpenAPI 3.1."""
    return api.get_openapi_schema()


@api.exception_handler(UnableToAnswerCall)
def _unable(request: HttpRequest, unable: UnableToAnswerCall) -> HttpResponse:
    errors = [{"parameter": unable.parameter, "detail": str(unable)}] if unable.parameter else []
    return problem_response(unable.status, str(unable), errors=errors)


@api.exception_handler(AuthenticationError)
def _unknown(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return problem_response(401, "Send an access token as “Authorization: Bearer moorage_…”, or log in.")


@api.exception_handler(HttpError)
def _without_leave(request: HttpRequest, error: HttpError) -> HttpResponse:
    sentence = "A browser that is logged in has to send the token against forged requests as X-CSRFToken."
    return problem_response(error.status_code, sentence if error.status_code == 403 else f"{error}.")


@api.exception_handler(Throttled)
def _too_often(request: HttpRequest, error: Throttled) -> HttpResponse:
    return problem_response(429, "You have called too often: wait as long as Retry-After says.")


@api.exception_handler(ValidationError)
def _unreadable(request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = [
        {"parameter": str(one["loc"][-1]), "detail": IN_OUR_WORDS.get(one["type"], f"{one['msg']}.")}
        for one in error.errors
    ]
    said = "; ".join(f"{one['parameter']}: {one['detail'].removesuffix('.')}" for one in errors)
    return problem_response(422, f"{said}.", errors=errors)


@api.exception_handler(Exception)
def _broken(request: HttpRequest, error: Exception) -> HttpResponse:
    log.error("a call of the API failed", exc_info=error)
    return problem_response(500, "Something went wrong on our side; it was noted.")


def _door(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A call's view: who may call is the API's own business, and a wrong method is told like every other problem."""

    @wraps(view)
    def answered(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, HttpResponseNotAllowed):
            methods = response["Allow"]
            refusal = problem_response(405, f"This address takes {methods} and nothing else.")
            refusal["Allow"] = methods
            return refusal
        return response

    return login_not_required(answered)


@csrf_exempt
@login_not_required
def nothing_here(request: HttpRequest) -> HttpResponse:
    """Every other address under ``/api/``."""
    return problem_response(404, "There is nothing at this address: /api/v1/openapi.json lists what there is.")


def _opened(pattern: URLPattern) -> URLPattern:
    pattern.callback = nothing_here if pattern.name == "api-root" else _door(pattern.callback)
    return pattern


_patterns, _app, _namespace = api.urls
urls = ([*map(_opened, _patterns), re_path(r"^.*$", nothing_here)], _app, _namespace)
