"""Who asks, and by which clocks: read from the database once a request, and only where somebody needs it."""

from datetime import tzinfo
from functools import cached_property

from django.http import HttpRequest

from reservations.domain.access import Person
from reservations.domain.period import UnableToReadTime, zone
from reservations.selectors.access import person_and_zone_of
from reservations.selectors.organisation import accounting_zone


class Zones:
    """The zone that days and months are counted in, and the one in which this person reads instants."""

    def __init__(self, own_zone: str) -> None:
        self._own_zone = own_zone
        self._accounting_name = ""

    def read_along(self, accounting_name: str) -> None:
        """Take the accounting zone's name from a query that brought it along; a blank one says nothing."""
        self._accounting_name = accounting_name

    @cached_property
    def accounting(self) -> tzinfo:
        """The organisation's zone."""
        return accounting_zone(self._accounting_name)

    @cached_property
    def seen(self) -> tzinfo:
        """The person's zone; the organisation's where they chose none, or one that is no longer known."""
        try:
            return zone(self._own_zone) if self._own_zone else self.accounting
        except UnableToReadTime:
            return self.accounting

    @property
    def used(self) -> bool:
        """Whether this request went by a clock at all: the frame names the zones only then."""
        return "accounting" in self.__dict__


def zones_on(request: HttpRequest) -> Zones:
    """The zones of a request."""
    if not hasattr(request, "_zones"):
        request._zones = Zones(getattr(request.user, "zone", ""))
    return request._zones


def person_on(request: HttpRequest) -> Person:
    """The person behind a request, with every grant."""
    if not hasattr(request, "_person"):
        request._person, accounting_name = person_and_zone_of(request.user)
        zones_on(request).read_along(accounting_name)
    return request._person
