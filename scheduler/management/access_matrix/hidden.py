"""The admin: every address of it, for every model, asks the same."""

from scheduler.management.access_matrix.doors import A, Door, Reach

HIDDEN = (
    Door("admin:*", "GET", Reach.ORGANISATION, frozenset({A})),
    Door("admin:*", "POST", Reach.ORGANISATION, frozenset({A})),
)
