"""What the audit trail is told of a request: by which door, as whom, and from where it came."""

import re
from collections.abc import Callable
from uuid import uuid4

import structlog
from allauth.core.internal.httpkit import get_client_ip
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse

from reservations.services.audit import Origin, Via, coming_from

GIVEN_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
LONGEST_ADDRESS = 2000


class Origins:
    """Middleware: every event of a request is from where the request is from, and its log lines carry its number."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        place = Origin(
            via=Via.API if request.path.startswith("/api/") else Via.PAGE,
            by=request.user,
            address=_address(request),
            request_id=given if GIVEN_ID.fullmatch(given) else uuid4().hex,
            asked=request.get_full_path()[:LONGEST_ADDRESS],
        )
        with coming_from(place), structlog.contextvars.bound_contextvars(request_id=place.request_id):
            return self.get_response(request)


def _address(request: HttpRequest) -> str:
    """The client's network address, past as many proxies as are ours; blank where none can be told."""
    try:
        return get_client_ip(request) or ""
    except ImproperlyConfigured:  # it came past our proxy
        return request.META.get("REMOTE_ADDR", "")
