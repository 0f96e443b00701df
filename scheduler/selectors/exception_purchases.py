"""What was bought beside what was approved, from the inventory of an instant."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from reservations.domain.procurement.matching import Approved, Bought, Fate, Match, matches
from reservations.domain.procurement.needless import BUYS_NOTHING, Accepted, needless
from reservations.domain.procurement.request_state import RequestState
from reservations.domain.reservation_state import State
from reservations.selectors.approval_spans import ApprovalSpan, approval_spans, first_seen_at
from reservations.selectors.ends import ReservationEnd, reservation_ends
from reservations.selectors.exceptions import ExceptionRow, all_exception_rows
from reservations.selectors.frozen_evidence import frozen_evidence
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.procurement import bound_since
from scheduler.domain.recommendation.standing import Standing
from scheduler.models import RecommendationDecision
from scheduler.selectors.renewal_case import decided_nodes_of_followers

APPROVED = (RequestState.APPROVED, RequestState.EXECUTED, RequestState.LAPSED)


@dataclass(frozen=True, slots=True)
class Purchase:
    """A match with the request and the reservation it is about, either of them None."""

    match: Match
    request: ExceptionRow | None
    reservation: ReservationEnd | None

    @property
    def fate(self) -> Fate:
        """What became of it."""
        return self.match.fate


def purchases(*, as_of: datetime, zone: tzinfo | None = None) -> list[Purchase]:
    """Every approval that was to buy something, and every reservation that needed one and has none."""
    zone = zone or accounting_zone()
    rows = [
        row
        for row in all_exception_rows(states=APPROVED)
        if row.approved_at is not None and row.kind not in BUYS_NOTHING
    ]
    ends = reservation_ends(as_of=as_of, also=[row.executed_with for row in rows if row.executed_with])
    held = [one for one in ends if one.state is not State.REQUESTED]
    seen = first_seen_at([one.id for one in held])
    bought = [_bought(one, zone, seen.get(one.id)) for one in held]
    free = needless(bought, since=bound_since(), accepted=_accepted(zone), renewed=decided_nodes_of_followers())
    spans = approval_spans(rows)
    evidence = frozen_evidence([row.id for row in rows])
    found = matches(
        [_approved(row, evidence, spans[row.id]) for row in rows if row.term_start and row.id in spans], bought, free
    )
    by_request, by_id = {row.id: row for row in rows}, {one.id: one for one in held}
    return [
        Purchase(
            match,
            by_request[match.approved.request_id] if match.approved else None,
            by_id[match.bought.reservation_id] if match.bought else None,
        )
        for match in found
    ]


def unapproved_ids(*, as_of: datetime, zone: tzinfo) -> frozenset[int]:
    """The reservations that nobody approved."""
    found = purchases(as_of=as_of, zone=zone)
    return frozenset(one.reservation.id for one in found if one.fate is Fate.UNAPPROVED_PURCHASE and one.reservation)


def _bought(one: ReservationEnd, zone: tzinfo, seen: datetime | None) -> Bought:
    return Bought(
        reservation_id=one.id,
        external_id=one.external_id,
        pool_id=one.pool_id,
        shape=one.shape,
        nodes=one.nodes,
        start=_day(one.start_at, zone),
        end=_day(one.end_at, zone),
        at=min((at for at in (one.start_at, seen) if at is not None), default=None),
    )


def _approved(row: ExceptionRow, evidence: Mapping[int, str], span: ApprovalSpan) -> Approved:
    start, end = row.term_start or date.min, row.term_end or date.max
    nodes = row.nodes or 0
    current = json.loads(evidence.get(row.id) or "{}").get("current_nodes")
    return Approved(
        request_id=row.id,
        pool_id=row.pool_id,
        shape=row.shape,
        nodes=nodes,
        start=start,
        end=end,
        reservation_id=row.executed_with,
        reservation=row.reservation,
        more=nodes - current if isinstance(current, int) and nodes > current else None,
        since=span.since,
        until=span.until,
    )


def _accepted(zone: tzinfo) -> list[Accepted]:
    """What stands accepted now: a decision that was taken back or replaced advises nothing."""
    rows = RecommendationDecision.objects.filter(
        standing=Standing.ACCEPTED.value,
        recommendation__standing=Standing.ACCEPTED.value,
        recommendation__replaced_at__isnull=True,
        recommendation__proposed_nodes__isnull=False,
    ).values_list("recommendation__pool_id", "recommendation__proposed_nodes", "decided_at")
    return [Accepted(pool_id, nodes, at.astimezone(zone).date()) for pool_id, nodes, at in rows]


def _day(at: datetime | None, zone: tzinfo) -> date | None:
    return None if at is None else at.astimezone(zone).date()
