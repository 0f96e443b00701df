"""Who calls: whoever a token speaks for, or whoever is logged in; and how often they may."""

from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables
from ninja.errors import Throttled
from ninja.security import APIKeyCookie, HttpBearer
from ninja.throttling import SimpleRateThrottle

from reservations.api.problems import UnableToAnswerCall
from reservations.domain.access import Person
from reservations.domain.tokens import Scope
from reservations.selectors.access import person_of
from reservations.selectors.tokens import bearer_of
from reservations.services.audit import speak_for
from reservations.services.service_tokens import note_service_token_use
from reservations.services.tokens import note_token_use

MISSES_A_MINUTE = 60
"""Tokens that open nothing, from one address: nobody can guess 256 bits, but nobody has to answer all who try."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who calls: what they may see is decided by ``may`` as on every page; a service has no ``user_id``."""

    person: Person
    user_id: int | None


class AccessTokenAuth(HttpBearer):
    """``Authorization: Bearer moorage_…``; a token that does not open says the same whatever the reason."""

    def __init__(self, scope: Scope | None = None) -> None:
        super().__init__()
        self.scope = scope

    @sensitive_variables("token")
    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        now = timezone.now()
        bearer = bearer_of(secret=token.strip(), as_of=now)
        if bearer is None:
            _count_miss(request)
            raise UnableToAnswerCall(HTTPStatus.UNAUTHORIZED, "This token opens nothing.")
        if bearer.note_use:
            note = note_token_use if bearer.user_id is not None else note_service_token_use
            note(token_id=bearer.token_id, at=now)
        if self.scope is not None and self.scope not in bearer.scopes:
            raise UnableToAnswerCall(HTTPStatus.FORBIDDEN, f"This token may not {self.scope.value}.")
        speak_for((bearer.person.name, str(bearer.user_id or "")))
        return Caller(bearer.person, bearer.user_id)


def _count_miss(request: HttpRequest) -> None:
    """Throttled, once an address has tried too many tokens that open nothing."""
    key = f"api-misses-{_address(request)}"
    cache.add(key, 0, timeout=60)
    try:
        misses = cache.incr(key)
    except ValueError:  # the minute was over in between
        return
    if misses > MISSES_A_MINUTE:
        raise Throttled(wait=60)


def _address(request: HttpRequest) -> str:
    """Who calls; those of whom no server says from where are counted together."""
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return "unknown"


class SessionAuth(APIKeyCookie):
    """The cookie of somebody who is logged in: every call only reads."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> Caller | None:
        if "Authorization" in request.headers or not request.user.is_authenticated:
            return None
        return Caller(person_of(request.user), request.user.pk)


class CallRate(SimpleRateThrottle):
    """So many calls a minute of one person, through however many tokens."""

    scope = "api"

    def __init__(self) -> None:
        super().__init__(f"{settings.API_CALLS_A_MINUTE}/min")

    def get_cache_key(self, request: HttpRequest) -> str:
        caller = request.auth
        return f"api-calls-{quote(caller.person.name, safe='') if caller.user_id is None else caller.user_id}"


def opens(scope: Scope | None) -> list[AccessTokenAuth | SessionAuth]:
    """What opens a call: a token with this scope (None: any token), or a log-in."""
    return [AccessTokenAuth(scope), SessionAuth()]
