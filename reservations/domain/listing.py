"""One reservation as a provider listed it, provider-neutral; None is unknown (every wire member is optional)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from reservations.domain.instance_history import RunningInstance
from reservations.domain.reservation_state import Kind, State


@dataclass(frozen=True, slots=True)
class Listed:
    """What one complete list said of one reservation."""

    arn: str
    external_id: str
    kind: Kind
    state_raw: str
    state: State
    provider: str = "aws"
    owner_account: str = ""
    region: str = ""
    zone_id: str = ""
    zone_name: str = ""
    shape: str = ""
    platform: str = ""
    tenancy: str = ""
    gpus_per_instance: Decimal | None = None
    total_count: int | None = None
    planned_count: int | None = None
    available_count: int | None = None
    start_at: datetime | None = None
    end_at: datetime | None = None
    usable_until: datetime | None = None
    ends_terminate_instances: bool = False
    matching: str = ""
    commitment_end_at: datetime | None = None
    parent_id: str = ""
    unused_billing_account: str = ""
    upfront_fee: Decimal | None = None
    upfront_fee_currency: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    usage_by_account: Mapping[str, int] | None = None
    raw: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One account's region at one instant. Only a ``complete`` one says anything about what is *not* listed.

    ``degraded`` maps an optional call that failed to one sentence; ``error_code`` and ``error`` are of the
    full list itself, and then ``listed`` is empty. ``instances`` are all that run of ``instance_shapes``; without a
    shape none was asked for, or the answer is not known.
    """

    account: str
    account_id: str
    region: str
    as_of: datetime
    complete: bool
    listed: tuple[Listed, ...] = ()
    error_code: str = ""
    error: str = ""
    degraded: Mapping[str, str] = field(default_factory=dict)
    instances: tuple[RunningInstance, ...] = ()
    instance_shapes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resized:
    """How many instances a reservation promised before and after; None is unknown."""

    external_id: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What recorded sweeps changed, by the provider's ids, each in order."""

    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    resized: tuple[Resized, ...] = ()
