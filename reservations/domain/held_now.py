"""One reservation as it stands at one instant, in words and counts; None is unknown, never zero."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from reservations.domain.renewal import Decision
from reservations.domain.reservation_state import Kind, State

OVER = frozenset({State.ENDED, State.FAILED})


@dataclass(frozen=True, slots=True)
class ReservationRow:
    """``owner`` answers for it: ``own_owner``, else its pool's; ``teams`` may see it; ``gpus_each`` per instance.

    ``total_count`` is what it holds, or before its start what is planned; ``used_count`` have something launched.
    """

    id: int
    external_id: str
    arn: str
    provider: str
    region: str
    zone_id: str
    kind: Kind
    state: State
    state_raw: str
    shape: str
    matching: str
    owner: str | None
    own_owner: str | None
    pool: str | None
    pool_id: int | None
    pool_owner: str | None
    teams: frozenset[str]
    total_count: int | None
    available_count: int | None
    used_count: int | None
    gpus_each: Decimal | None
    start_at: datetime | None
    end_at: datetime | None
    usable_until: datetime | None
    decision: Decision
    upfront_fee: Decimal | None
    upfront_fee_currency: str
    first_seen_at: datetime
    last_seen_at: datetime
    missing_since: datetime | None
    tags: Mapping[str, str] = field(default_factory=dict)
    unpaid_end_at: datetime | None = None

    @property
    def decision_on(self) -> date | None:
        """By when it must be decided what follows; None is unknown, and ``decision.why_not`` says why."""
        return self.decision.on

    @property
    def gpus(self) -> Decimal | None:
        """GPUs of all its instances; the pool's figure per node decides."""
        if self.total_count is None or self.gpus_each is None:
            return None
        return self.total_count * self.gpus_each

    @property
    def over(self) -> bool:
        """Whether it promises nothing any more."""
        return self.state in OVER or self.missing_since is not None

    @property
    def by_hand(self) -> bool:
        """Whether people entered it: no provider lists it, so nothing is observed of it."""
        return self.kind is Kind.MANUAL

    @property
    def answering(self) -> frozenset[str] | None:
        """The teams that answer for it: whose owners may change it; None: nobody's."""
        teams = frozenset(team for team in (self.own_owner, self.pool_owner) if team is not None)
        return teams or None
