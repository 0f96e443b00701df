"""What one line of the access matrix says."""

from dataclasses import dataclass
from enum import StrEnum

from reservations.domain.access import Role

V, O, R, N, P, D, A = Role  # noqa: E741 (viewer, owner, operator, analyst, approver, auditor, admin)
EVERY = frozenset(Role)
WRITERS = EVERY - {V, D}
PRICED = EVERY - {V}


class Reach(StrEnum):
    """Whose objects a door leads to."""

    ANYBODY = "anybody, without a log-in"
    LOGGED_IN = "whoever is logged in, what they may see of it or do to it"
    OWN = "one's own alone"
    SOMEWHERE = "whoever holds such a role for any team, what they may see of it"
    TEAM = "objects of one's teams, and all with a grant for the whole organisation"
    ORGANISATION = "grants for the whole organisation alone"


@dataclass(frozen=True, slots=True)
class Door:
    """One way in: a URL's name and a method, whose objects it leads to, and the roles that may go through.

    Everybody else is told 403, or 404 where they may not even know that the object is there.
    """

    name: str
    method: str
    reach: Reach
    roles: frozenset[Role] = EVERY
