"""Operations of the API, by their names in its description; a token also needs the scope that the description tells."""

from scheduler.management.access_matrix.doors import WRITERS, A, Door, O, R, Reach

READ_BY_WHOEVER_IS_LOGGED_IN = ("usage", "pools", "reservations", "health", "recommendations", "alerts", "renewals")
READ_OF_A_TEAM = ("pool_double_pay", "pool_savings", "pool_month", "pool", "reservation", "sizing", "job", "clock")

CALLS = (
    *(Door(f"api:{name}", "GET", Reach.LOGGED_IN) for name in READ_BY_WHOEVER_IS_LOGGED_IN),
    *(Door(f"api:{name}", "GET", Reach.TEAM) for name in READ_OF_A_TEAM),
    Door("api:description", "GET", Reach.LOGGED_IN),
    Door("api:api-root", "GET", Reach.ANYBODY),
    Door("api:^.*$", "GET", Reach.ANYBODY),
    Door("api:jobs", "GET", Reach.LOGGED_IN),
    Door("api:register", "POST", Reach.TEAM, frozenset({O, R, A})),
    Door("api:report", "PATCH", Reach.TEAM, frozenset({O, R, A})),
    Door("api:allocate", "POST", Reach.SOMEWHERE),
    Door("api:allocation_runs_of_yours", "GET", Reach.LOGGED_IN),
    Door("api:allocation_run_of_yours", "GET", Reach.OWN),
    Door("api:cancel_run", "DELETE", Reach.OWN),
    Door("api:acknowledge_alert", "POST", Reach.TEAM, WRITERS),
    Door("api:snooze_alert", "POST", Reach.TEAM, WRITERS),
    Door("api:resolve_alert", "POST", Reach.TEAM, WRITERS),
)
