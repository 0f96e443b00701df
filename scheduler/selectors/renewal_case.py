"""What a renewal rests on, read for one instant: the reservation, what follows it, its price and what was advised."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from reservations.domain.pricing import per_node_hour
from reservations.domain.renewal import Decision, LeadTimes, decision_date
from reservations.domain.reservation_state import State
from reservations.selectors.any_of import any_of
from reservations.selectors.ends import ReservationEnd, reservation_ends
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.procurement import published_lead_times
from reservations.selectors.terms import TermsOn, terms_on
from scheduler.domain.recommendation.moves import Part
from scheduler.domain.renewal.basis import Basis, NodePrice, Recommended
from scheduler.domain.renewal.continuity import Decided, Follower, Outcome, Seen, outcome
from scheduler.domain.renewal.possible import Ending, possible_at_end
from scheduler.domain.renewal.standing import Choice, RenewalState
from scheduler.models import Recommendation, Renewal


@dataclass(frozen=True, slots=True)
class RenewalFacts:
    """Every reservation that renewals may be about, with what all of them share."""

    as_of: datetime
    zone: tzinfo
    lead: LeadTimes | None
    ends: Sequence[ReservationEnd]
    by_id: Mapping[int, ReservationEnd]
    prices: TermsOn
    recommended: Mapping[int, Recommended]
    following: frozenset[int]

    def end(self, reservation_id: int) -> ReservationEnd | None:
        """One of them."""
        return self.by_id.get(reservation_id)

    def decision(self, one: ReservationEnd, end_at: datetime | None = None) -> Decision:
        """By when it must be decided what follows it, or what followed another end of it."""
        return decision_date(end_at=end_at or one.end_at, kind=one.kind, lead=self.lead, zone=self.zone)

    def price(self, one: ReservationEnd) -> NodePrice | None:
        """The reserved price of a node-hour of it today; None where it is unknown."""
        span = self.prices.price(pool_id=one.pool_id, shape=one.shape)
        if span is None or not one.gpus_each:
            return None
        price = per_node_hour(span.reserved, unit=span.unit, gpus_per_node=one.gpus_each)
        return None if price is None else NodePrice(price, span.currency, span.source)

    def basis(self, one: ReservationEnd) -> Basis:
        """All that is known about its end now."""
        decision, ending = self.decision(one), ending_of(one)
        return Basis(
            as_of=self.as_of,
            ending=ending,
            possible=possible_at_end(ending, now=self.as_of),
            pool=one.pool,
            owner=one.owner,
            decide_on=decision.on,
            why_no_day=decision.why_not,
            lead=self.lead,
            price=self.price(one),
            recommended=self.recommended.get(one.pool_id) if one.pool_id else None,
        )

    def followers(self, one: ReservationEnd) -> list[Follower]:
        """What may be meant to follow it: of the same pool, or of the same owner's shape in the same zone.

        Never what follows another already.
        """
        return [
            Follower(other.id, other.external_id, other.start_at, other.end_at, other.nodes)
            for other in self.ends
            if other.start_at is not None and other.state is not State.REQUESTED and not other.gone
            if other.id != one.id and other.id not in self.following and _replaces(other, one)
        ]


def renewal_facts(
    *,
    as_of: datetime,
    also: Collection[int] = (),
    zone: tzinfo | None = None,
    seen_by: frozenset[str] | None = None,
) -> RenewalFacts:
    """Everything in five queries, six without ``zone``; ``also`` are reservations that may be over already."""
    ends = reservation_ends(as_of=as_of, also=also, seen_by=seen_by)
    return RenewalFacts(
        as_of=as_of,
        zone=zone or accounting_zone(),
        lead=published_lead_times(),
        ends=ends,
        by_id={one.id: one for one in ends},
        prices=terms_on(day=as_of.date()),
        recommended=_recommended({one.pool_id for one in ends if one.pool_id is not None}),
        following=following_now(),
    )


def following_now() -> frozenset[int]:
    """The reservations that follow another by an executed renewal: each follows one only."""
    found = Renewal.objects.filter(followed_by__isnull=False)
    return frozenset(found.order_by().values_list("followed_by_id", flat=True))


def decided_nodes_of_followers() -> dict[int, int | None]:
    """The reservations that follow another by an executed renewal, with how many nodes were decided to be held on."""
    found = Renewal.objects.filter(followed_by__isnull=False)
    return dict(found.order_by().values_list("followed_by_id", "nodes"))


def ending_of(one: ReservationEnd) -> Ending:
    """A reservation as the rules of its provider are asked about its end."""
    part = Part(one.external_id, one.kind, one.state, one.nodes or 0, one.end_at, one.commitment_end_at)
    return Ending(part, one.nodes, one.start_at, one.extension_pending)


def seen_of(one: ReservationEnd | None) -> Seen:
    """A reservation as the inventory has it; one that is no longer stored is gone."""
    return Seen(None, None, True) if one is None else Seen(one.end_at, one.nodes, one.gone, one.extension_pending)


def outcome_of(one: Renewal, facts: RenewalFacts) -> Outcome | None:
    """What the inventory shows of what was decided; None while nothing is."""
    if one.state != RenewalState.DECIDED.value:
        return None
    end = facts.end(one.reservation_id)
    decided = Decided(Choice(one.choice), one.nodes, one.until_at, one.end_at)
    return outcome(decided, seen_of(end), facts.followers(end) if end else (), now=facts.as_of)


def last_term(one: ReservationEnd, end_at: datetime) -> timedelta | None:
    """How long it lasted until an end of it; None while its start is unknown."""
    return None if one.start_at is None or one.start_at >= end_at else end_at - one.start_at


def _replaces(other: ReservationEnd, one: ReservationEnd) -> bool:
    if one.pool_id is not None and other.pool_id is not None:
        return other.pool_id == one.pool_id
    same = (one.shape, one.zone_id, one.owner)
    return bool(one.shape and one.owner) and (other.shape, other.zone_id, other.owner) == same


def _recommended(pool_ids: Iterable[int]) -> dict[int, Recommended]:
    found = Recommendation.objects.filter(pool_id__in=any_of(pool_ids), replaced_at__isnull=True)
    newest = found.order_by("pool_id", "-month").distinct("pool_id")
    told = newest.values_list("pool_id", "pk", "evidence_hash", "action", "proposed_nodes")
    return {pool_id: Recommended(*rest) for pool_id, *rest in told}
