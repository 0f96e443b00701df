"""People who ask, approve and buy, around one published rule: short words for the steps of a request."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from uuid import uuid4

from reservations.domain.procurement.lapse import HourPrice
from reservations.models import ExceptionVersion, Owner, Pool, ProcurementRule, RoleGrant, User
from reservations.services import exceptions

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday."""
TODAY = AT.date()
EVIDENCE = '{"rule_nodes":3}'

DOCUMENT: Mapping[str, object] = {
    "reserved_share_of_base_load": "0.9",
    "spot_workloads": ["batch"],
    "block_booking_lead_days": 21,
    "procurement_lead_days": 14,
    "currency": "USD",
    "steps": [{"up_to": "100000", "role": "analyst"}, {"up_to": "1000000", "role": "approver"}],
}

TYPED: Mapping[str, str] = {
    "kind": "over_rule",
    "pool": "serve-h100",
    "shape": "p5.48xlarge",
    "nodes": "4",
    "term_start": "2026-04-01",
    "term_end": "2026-10-01",
    "amount": "400000.00",
    "currency": "USD",
    "reason": "A launch in May doubles what is served at peak.",
    "consequence": "Requests are queued at peak.",
    "answer_demand_ahead": "The launch, signed by the team in February.",
}


@dataclass(frozen=True)
class Desk:
    """``asks`` owns the pool, ``checks`` is analyst, ``approves`` and ``also`` are approvers, ``buys`` is operator."""

    asks: User
    checks: User
    approves: User
    also: User
    buys: User
    outsider: User
    pool: Pool
    rule: ProcurementRule

    def draft(self, **typed: str) -> exceptions.SavedDraft:
        """A new draft of ``asks``."""
        return exceptions.save_draft_exception(typed={**TYPED, **typed}, by=self.asks.pk, at=AT)

    def submit(self, request_id: int | None = None, *, by: User | None = None, **typed: str) -> int:
        """A submitted request; an existing draft where one is named."""
        if request_id is None:
            request_id = self.draft(**typed).request_id
        elif typed:
            version = newest(request_id)
            said = {**version.typed, **typed}
            exceptions.save_draft_exception(
                request_id=request_id, saves=version.saves, typed=said, by=(by or self.asks).pk, at=AT
            )
        exceptions.submit_exception(
            request_id=request_id, saves=None, evidence=evidence(), by=(by or self.asks).pk, at=AT, today=TODAY
        )
        return request_id

    def approve(self, request_id: int, by: User, **said: object) -> exceptions.Moved:
        """An approval of what is there now."""
        told: dict[str, object] = {
            "content_hash": newest(request_id).content_hash,
            "at": AT + timedelta(hours=1),
            "today": TODAY,
            "key": uuid4(),
            **said,
        }
        return exceptions.approve_exception(request_id=request_id, by=by.pk, **told)  # type: ignore[arg-type]

    def approved(self, **typed: str) -> int:
        """A request that both steps approved."""
        request_id = self.submit(**typed)
        self.approve(request_id, self.checks)
        self.approve(request_id, self.approves)
        return request_id

    def execute(self, request_id: int, by: User, **said: object) -> exceptions.Moved:
        """Buying it."""
        told: dict[str, object] = {
            "at": AT + timedelta(days=1),
            "today": TODAY + timedelta(days=1),
            "node_hour_price": HourPrice(Decimal(20), "USD"),
            **said,
        }
        return exceptions.mark_executed(request_id=request_id, by=by.pk, **told)  # type: ignore[arg-type]


def desk(**changed: object) -> Desk:
    """The people, their pool and the rule, with keys of its document changed."""
    serving, robotics = (Owner.objects.create(name=name) for name in ("serving", "robotics"))
    pool = Pool.objects.create(name="serve-h100", owner=serving, instance_type="p5.48xlarge", gpus_per_node=8)
    rule = ProcurementRule.objects.create(
        version=1, owner=serving, document={**DOCUMENT, **changed}, status=ProcurementRule.Status.PUBLISHED
    )
    return Desk(
        asks=person("asks", "owner", serving),
        checks=person("checks", "analyst", None),
        approves=person("approves", "approver", None),
        also=person("also", "approver", serving),
        buys=person("buys", "operator", None),
        outsider=person("outsider", "approver", robotics),
        pool=pool,
        rule=rule,
    )


def person(name: str, role: str, team: Owner | None) -> User:
    """Somebody with one role, granted long ago."""
    user = User.objects.create_user(name, email=f"{name}@example.com")
    RoleGrant.objects.create(user=user, role=role, team=team, granted_at=datetime(2025, 1, 1, tzinfo=UTC))
    return user


def evidence(text: str = EVIDENCE, **said: object) -> exceptions.Evidence:
    """Evidence with its own hash."""
    facts: dict[str, object] = {"node_hour_price": Decimal(20), "decide_by": date(2026, 3, 18), **said}
    return exceptions.Evidence(text, sha256(text.encode()).hexdigest(), **facts)  # type: ignore[arg-type]


def newest(request_id: int) -> ExceptionVersion:
    """The newest version of a request."""
    found = ExceptionVersion.objects.filter(request_id=request_id).order_by("-number").first()
    assert found is not None
    return found
