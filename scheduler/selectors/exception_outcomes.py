"""What became of what was bought by exception, measured for good or so far."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo
from decimal import Decimal

from reservations.domain.period import Period
from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import ExceptionRow
from reservations.selectors.frozen_evidence import claimed_shares
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import pool_rows
from scheduler.domain.exception.outcome import LedgerHour, Outcome, outcome, outcome_period
from scheduler.models import ExceptionOutcome
from telemetry.selectors.pool_hours import pool_hours


@dataclass(frozen=True, slots=True)
class OutcomeTold:
    """A request with what became of it; ``outcome`` None: it has not begun. ``measured_at`` None: so far only."""

    row: ExceptionRow
    outcome: Outcome | None
    measured_at: datetime | None = None


def exception_outcomes(rows: Collection[ExceptionRow], *, as_of: datetime) -> list[OutcomeTold]:
    """Of each executed request among these what is stored, else what the ledger shows until now."""
    executed = [row for row in rows if row.state is RequestState.EXECUTED]
    stored = {
        one.request_id: one for one in ExceptionOutcome.objects.filter(request_id__in=[row.id for row in executed])
    }
    missing = [row for row in executed if row.id not in stored]
    fresh = {row.id: found for row, found in zip(missing, measured(missing, as_of=as_of), strict=True)}
    return [
        OutcomeTold(row, _read(stored[row.id]), stored[row.id].measured_at)
        if row.id in stored
        else OutcomeTold(row, fresh[row.id])
        for row in executed
    ]


def measured(rows: Collection[ExceptionRow], *, as_of: datetime) -> list[Outcome | None]:
    """Each request's claim against the ledger until an instant; None while its term has not run for an hour."""
    zone, claims = accounting_zone(), claimed_shares([row.id for row in rows])
    pools = {pool.id: pool for pool in pool_rows()} if rows else {}
    found: list[Outcome | None] = []
    for row in rows:
        ran = outcome_period(begun_at(row, zone), as_of)
        if ran is None:
            found.append(None)
            continue
        period, whole = ran
        hours = (LedgerHour(one.paid, one.reserved, one.busy) for one in pool_hours(pool_id=row.pool_id, period=period))
        gpus = pools[row.pool_id].gpus_per_node
        found.append(outcome(hours, period=period, whole=whole, claimed=claims.get(row.id), gpus_per_node=gpus))
    return found


def begun_at(row: ExceptionRow, zone: tzinfo) -> datetime:
    """When the ninety days begin: at the start of its term, or when it was executed, whichever is later."""
    if row.term_start is None:
        return row.moved_at
    start = datetime.combine(row.term_start, time.min, zone).astimezone(UTC)
    return max(start, row.approved_at or start)


def _read(one: ExceptionOutcome) -> Outcome:
    return Outcome(
        period=Period(one.start_at, one.end_at),
        whole=True,
        hours=one.hours,
        hours_known=one.hours_known,
        busy_share=one.busy_share,
        coverage_share=one.coverage_share or Decimal(0),
        mean_busy_nodes=one.mean_busy_nodes,
        mean_held_nodes=one.mean_held_nodes,
        claimed_share=one.claimed_share,
        met=one.met,
        sentence=one.sentence,
    )
