"""Which requests a page is asked for, and who asks by which clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from django.http import HttpRequest
from django.utils import timezone
from django.utils.http import urlencode

from reservations.domain.access import Person
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.request_state import STATE_WORDS, RequestState
from reservations.selectors.exceptions import ExceptionRow, exception_row
from reservations.views.answers import UnableToAnswer, quoted
from reservations.views.asking import person_on, zones_on

STATES = {state.value: STATE_WORDS[state] for state in RequestState}
KINDS = {kind.value: TYPES[kind].label for kind in ExceptionType}
NAMES = ("state", "kind", "pool", "by")
WORDS = {"state": STATES, "kind": KINDS, "by": {"me": "me"}}
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks and when; ``today`` in the accounting zone, ``zone`` their own."""

    person: Person
    user_id: int
    now: datetime
    today: date
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class Asked:
    """The filters of the list; blank is any."""

    state: str = ""
    kind: str = ""
    pool: str = ""
    by: str = ""

    @property
    def query(self) -> str:
        """``?…`` of it, blank where nothing is narrowed."""
        kept = {name: getattr(self, name) for name in NAMES if getattr(self, name)}
        return f"?{urlencode(kept)}" if kept else ""

    def rows(self, rows: Sequence[ExceptionRow], user_id: int) -> list[ExceptionRow]:
        """Those that are as asked."""
        return [
            row
            for row in rows
            if self.state in ("", row.state.value)
            and self.kind in ("", row.kind.value if row.kind else None)
            and self.pool in ("", row.pool)
            and (not self.by or row.requester_id == user_id)
        ]


def asker_on(request: HttpRequest) -> Asker:
    """Who stands behind a request."""
    now, person = timezone.now(), person_on(request)
    zones = zones_on(request)
    assert request.user.pk is not None  # nosec B101
    return Asker(person, request.user.pk, now, now.astimezone(zones.accounting).date(), zones.seen)


def exceptions_asked(request: HttpRequest) -> Asked:
    """The filters of an address; UnableToAnswer for words that mean nothing."""
    texts = {name: request.GET.get(name, "").strip() for name in NAMES}
    for name, known in WORDS.items():
        if texts[name] and texts[name] not in known:
            raise UnableToAnswer(400, "Narrowed by what?", f"{quoted(texts[name])} is no {name}: {', '.join(known)}.")
    if len(texts["pool"]) > LONGEST or "\0" in texts["pool"]:
        raise UnableToAnswer(400, "Narrowed by what?", "No pool has such a name.")
    return Asked(**texts)


def found(request: HttpRequest, pk: int) -> ExceptionRow:
    """The request of an address, if this person may see it; UnableToAnswer with 404 otherwise."""
    asker = asker_on(request)
    row = exception_row(pk, asker.person, user_id=asker.user_id) if pk < 2**63 else None
    if row is None:
        raise UnableToAnswer(404, "No such request", f"There is no request {pk}, or it is not yours to see.")
    return row
