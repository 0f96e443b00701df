"""The access matrix as a page of the documentation."""

from collections.abc import Iterable

from reservations.domain.access import (
    FOR_PROGRAMS,
    LEAVE,
    LOOKING,
    SECOND_FACTOR_ACTIONS,
    SECOND_FACTOR_ROLES,
    Action,
    Role,
)
from scheduler.management.access_matrix.doors import EVERY, Door, Reach

WORDS = "access.md"

HEAD = f"""# The access matrix

Written by `manage.py access_matrix` from `scheduler/management/access_matrix/`; do not edit. A test walks every address
as every role, of one team and of the whole organisation, to its own and to others' objects, and fails where the site
does otherwise, or where an address or an operation is missing here. What the words mean is in [access]({WORDS}).

An object that one may not even see answers 404, like one that is not there; an act that one's roles do not include
answers 403. A log-in is asked for (or 401 is answered) wherever the table does not say “without a log-in”.
"""


def matrix_text(doors: Iterable[Door]) -> str:
    """The whole page in Markdown, ending in a line break."""
    parts = [HEAD, "## Doors\n", _doors(sorted(doors, key=lambda door: (door.name, door.method))), _actions()]
    return "\n".join(parts)


def _doors(doors: list[Door]) -> str:
    rows = ["| Door | Method | Opens to | Objects |", "|---|---|---|---|"]
    for door in doors:
        name = door.name.replace("|", "\\|")
        rows.append(f"| `{name}` | {door.method} | {_who(door)} | {door.reach.value} |")
    return "\n".join(rows) + "\n"


def _who(door: Door) -> str:
    if door.reach is Reach.ANYBODY:
        return "anybody"
    if door.reach in (Reach.LOGGED_IN, Reach.OWN):
        return "whoever is logged in"
    return "every role" if door.roles == EVERY else ", ".join(role.value for role in Role if role in door.roles)


def _actions() -> str:
    """What each role may do by the rules themselves, and what of it takes a second factor or may be a program's."""
    rows = [
        "## Actions\n",
        "What the one layer of rules gives leave for; `2` takes a second factor of whoever holds the role.\n",
        f"| Action | {' | '.join(role.value for role in Role)} | programs |",
        f"|---|{'---|' * len(Role)}---|",
    ]
    for action in Action:
        marks = [_mark(action, role) for role in Role]
        rows.append(f"| {action.value} | {' | '.join(marks)} | {'yes' if action in FOR_PROGRAMS else ''} |")
    return "\n".join(rows) + "\n"


def _mark(action: Action, role: Role) -> str:
    if role not in LEAVE[action]:
        return ""
    asks = action in SECOND_FACTOR_ACTIONS or (role in SECOND_FACTOR_ROLES and action not in LOOKING)
    return "2" if asks else "yes"
