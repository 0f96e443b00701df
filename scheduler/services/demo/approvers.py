"""Who asks, approves and buys in the demo, and the rule by which they do."""

from collections.abc import Mapping
from dataclasses import dataclass

from reservations.selectors.contacts import user_id_of

RULE: Mapping[str, object] = {
    "reserved_share_of_base_load": "0.9",
    "spot_workloads": ["batch"],
    "block_booking_lead_days": 21,
    "procurement_lead_days": 14,
    "currency": "USD",
    "checks": [
        {"check": "technical", "role": "operator", "above": "50000"},
        {"check": "cost", "role": "analyst", "above": "50000"},
    ],
    "steps": [{"up_to": "1000000", "role": "approver"}, {"up_to": "10000000", "role": "approver", "quorum": 1}],
    "approval_valid_days": 30,
    "price_move_limit_share": "0.05",
}


@dataclass(frozen=True, slots=True)
class People:
    """The ids of the log-ins that play a part."""

    serving: int
    research: int
    platform: int
    operator: int
    analyst: int
    approver: int
    finance: int
    buyer: int


def people_of_demo() -> People | None:
    """Their ids; None where the demo's log-ins are not all there."""
    names = ("owner-serving", "owner-research", "owner-platform", "operator", "analyst", "approver")
    found = [user_id_of(name) for name in (*names, "approver-finance", "buyer")]
    ids = [one for one in found if one is not None]
    return People(*ids) if len(ids) == len(found) else None
