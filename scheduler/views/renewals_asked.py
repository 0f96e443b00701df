"""What the list of renewals is asked for, read from its address."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo

from django.http import HttpRequest
from django.utils.http import urlencode

from reservations.views.answers import UnableToAnswer, quoted
from scheduler.domain.renewal.standing import RenewalState
from scheduler.selectors.renewals import RenewalRow

STATES = {state.value: state.value for state in RenewalState}
WITHIN = {"7": "a week", "30": "30 days", "90": "90 days"}


@dataclass(frozen=True, slots=True)
class RenewalsAsked:
    """Blank is any; without a state what was superseded is left out, for its new end stands beside it."""

    owner: str = ""
    state: str = ""
    within: str = ""
    reservation: str = ""

    @property
    def query(self) -> str:
        """``?…`` of it, blank where nothing is narrowed."""
        kept = {name: getattr(self, name) for name in ("owner", "state", "within", "reservation")}
        kept = {name: text for name, text in kept.items() if text}
        return f"?{urlencode(kept)}" if kept else ""

    def rows(self, rows: Sequence[RenewalRow], today: date, zone: tzinfo) -> list[RenewalRow]:
        """Those that are as asked."""
        return [row for row in rows if self._states(row) and self._theirs(row) and self._soon(row, today, zone)]

    def _states(self, row: RenewalRow) -> bool:
        return row.state.value == self.state if self.state else row.state is not RenewalState.SUPERSEDED

    def _theirs(self, row: RenewalRow) -> bool:
        one = row.reservation
        return self.owner in ("", one.owner) and self.reservation in ("", str(one.id))

    def _soon(self, row: RenewalRow, today: date, zone: tzinfo) -> bool:
        if not self.within:
            return True
        return (row.decide_on or row.end_at.astimezone(zone).date()) <= today + timedelta(days=int(self.within))


def renewals_asked(request: HttpRequest) -> RenewalsAsked:
    """The filters of an address; UnableToAnswer for words that mean nothing."""
    asked = RenewalsAsked(*(request.GET.get(name, "").strip() for name in ("owner", "state", "within", "reservation")))
    for name, text, known in (("state", asked.state, STATES), ("within", asked.within, WITHIN)):
        if text and text not in known:
            raise UnableToAnswer(400, "Narrowed by what?", f"{quoted(text)} is no {name}: use {', '.join(known)}.")
    if asked.reservation and not (asked.reservation.isascii() and asked.reservation.isdigit()):
        raise UnableToAnswer(400, "Narrowed by what?", f"{quoted(asked.reservation)} is no number of a reservation.")
    return asked
