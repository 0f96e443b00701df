"""What teams lent each other, as sheets: each team's balance, and who lent to whom."""

from collections.abc import Sequence

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.lending import Balance, Lending
from telemetry.tables.usage import gpu_hours

NAME, PAIRS = "lending", "lent-to-whom"
TITLE, PAIRS_TITLE = "Lent and borrowed", "Who lent to whom"
UNKNOWN_TEAM = "no known team"

COLUMNS = (
    Column("team", "team", Kind.TEXT),
    Column("lent_gpu_hours", "lent", Kind.GPU_HOURS, "GPU-hours", "lent"),
    Column("borrowed_gpu_hours", "borrowed", Kind.GPU_HOURS, "GPU-hours", "borrowed_time"),
    Column("own_beyond_gpu_hours", "beyond its own quota", Kind.GPU_HOURS, "GPU-hours", "own_beyond"),
)
PAIR_COLUMNS = (
    Column("lender", "lender", Kind.TEXT),
    Column("borrower", "borrower", Kind.TEXT),
    Column("lent_gpu_hours", "lent", Kind.GPU_HOURS, "GPU-hours", "lent"),
)


def team_name(team: str) -> str:
    """A team as it is shown."""
    return team or UNKNOWN_TEAM


def lending_sheet(told: Lending) -> Sheet:
    """One row for each team that lent, borrowed, or used more than its quota of its own pool."""
    rows = tuple(
        (team_name(one.team), gpu_hours(one.lent), gpu_hours(one.borrowed), gpu_hours(one.own_beyond))
        for one in told.balances
    )
    return Sheet(NAME, TITLE, COLUMNS, rows)


def pairs_sheet(told: Lending) -> Sheet:
    """One row for each lender and borrower."""
    rows = tuple(
        (team_name(lender), team_name(borrower), gpu_hours(amount)) for (lender, borrower), amount in told.pairs.items()
    )
    return Sheet(PAIRS, PAIRS_TITLE, PAIR_COLUMNS, rows)


def lending_summary(told: Lending) -> str:
    """How much was lent, by whom most and to whom most; own use beyond the quota apart."""
    own = sum(one.own_beyond for one in told.balances)
    apart = f" Teams used {notation.gpu_hours(own)} GPU-hours of their own pools beyond their own quota." if own else ""
    if not told.lent:
        return f"No team used another team's pool beyond its own quota.{apart}"
    lender = max(told.balances, key=lambda one: one.lent)
    borrower = max(told.balances, key=lambda one: one.borrowed)
    return (
        f"{notation.gpu_hours(told.lent)} GPU-hours lent: most by {_said(lender, lender.lent)}, "
        f"most borrowed by {_said(borrower, borrower.borrowed)}.{apart}"
    )


def team_summary(told: Lending, team: str) -> str:
    """What one team lent and borrowed, and used beyond the quota of its own queues."""
    if not told.balances:
        return f"{team} neither lent nor borrowed."
    (one,) = told.balances
    own = f" It used {notation.gpu_hours(one.own_beyond)} in its own pools beyond its quota." if one.own_beyond else ""
    return f"{team} lent {notation.gpu_hours(one.lent)} GPU-hours and borrowed {notation.gpu_hours(one.borrowed)}.{own}"


def pairs_summary(told: Lending) -> str:
    """How many pairs there are."""
    count = len(told.pairs)
    if not count:
        return "No team used another team's pool beyond its own quota."
    pairs = "1 pair of teams" if count == 1 else f"{notation.grouped(count)} pairs of teams"
    return f"{notation.gpu_hours(told.lent)} GPU-hours between {pairs}."


def why_no_lending(hours: int, rows: Sequence[object]) -> str:
    """Why no lending is told, in so many hours; blank where there is some."""
    if not hours:
        return "No hour of this month is in the ledger."
    return "" if rows else "No hour of this month says which queue its GPUs worked for."


def _said(one: Balance, amount: int) -> str:
    return f"{team_name(one.team)} ({notation.gpu_hours(amount)})"
