"""The audit trail, the procurement rule, and requests for exceptions, whose steps say besides who may move them."""

from scheduler.management.access_matrix.doors import PRICED, WRITERS, A, D, Door, N, P, Reach

LOOKED_AT = (
    "scheduler:exceptions",
    "scheduler:exceptions-sheet",
    "scheduler:exceptions-waiting",
    "scheduler:exception-purchases",
    "scheduler:exception-purchases-sheet",
)
SEEN_OF_A_TEAM = (
    "scheduler:exception",
    "scheduler:exception-numbers",
    "scheduler:exception-outcome",
    "scheduler:exception-file",
    "api:one_exception",
)
MOVED = ("scheduler:exception-move", "api:approve", "api:give_back", "api:reject", "api:submit_exception")
WRITTEN = ("scheduler:exception-draft", "scheduler:exception-autosave", "scheduler:exception-submit")
AUDITED = ("", "-event", "-file", "-pack")

EXCEPTIONS = (
    *(Door(name, "GET", Reach.LOGGED_IN) for name in (*LOOKED_AT, "scheduler:exception-questions", "api:exceptions")),
    *(Door(name, "GET", Reach.TEAM, PRICED) for name in SEEN_OF_A_TEAM),
    *(Door(name, "POST", Reach.TEAM, WRITERS) for name in (*MOVED, *WRITTEN)),
    Door("scheduler:exception-draft", "GET", Reach.TEAM, WRITERS),
    Door("scheduler:exception-preview", "GET", Reach.TEAM, WRITERS),
    Door("scheduler:exception-new", "GET", Reach.LOGGED_IN),
    Door("scheduler:exception-new", "POST", Reach.LOGGED_IN),
    Door("api:draft_exception", "POST", Reach.TEAM, WRITERS),
    Door("api:procurement_rule", "GET", Reach.SOMEWHERE),
    *(Door(f"reservations:audit{part}", "GET", Reach.ORGANISATION, frozenset({D, A})) for part in AUDITED),
    Door("reservations:procurement", "GET", Reach.SOMEWHERE),
    Door("reservations:procurement-version", "GET", Reach.SOMEWHERE),
    Door("reservations:procurement-draft", "GET", Reach.ORGANISATION, frozenset({N, P, A})),
    Door("reservations:procurement-draft", "POST", Reach.ORGANISATION, frozenset({N, P, A})),
    Door("reservations:procurement-draft-of", "GET", Reach.ORGANISATION, frozenset({N, P, A})),
    Door("reservations:procurement-publish", "POST", Reach.ORGANISATION, frozenset({P, A})),
    Door("reservations:delegations", "GET", Reach.LOGGED_IN),
    Door("reservations:delegations", "POST", Reach.LOGGED_IN),
    Door("reservations:delegation-end", "POST", Reach.OWN),
)
