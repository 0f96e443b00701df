"""How long a log-in lasts: so long at most, and so long without a request."""

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse

BEGAN, SEEN = "log_in_began", "log_in_seen"
NOTED_EVERY = 600
"""Seconds: that somebody is there is written down no oftener, since each writing costs a query."""


def begin(request: HttpRequest) -> None:
    """Count from now on: somebody has just logged in."""
    request.session[BEGAN] = request.session[SEEN] = int(time.time())  # noqa: TID251


class SessionAges:
    """Middleware: a log-in that is too old, or was left alone for too long, is over; who asks is asked to log in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began, seen = request.session.get(BEGAN), request.session.get(SEEN)
        if began is not None and seen is not None:
            now = int(time.time())  # noqa: TID251
            if now - began >= settings.SESSION_LONGEST or now - seen >= settings.SESSION_IDLE:
                logout(request)
            elif now - seen >= NOTED_EVERY:
                request.session[SEEN] = now
        return self.get_response(request)
