"""Renewals: proposing them from the inventory, deciding, revising and executing them, and planning the end."""

from scheduler.services.renewals.deciding import UnableToRenew, decide_renewal, execute_renewal, revise_renewal
from scheduler.services.renewals.planning import plan_end
from scheduler.services.renewals.proposing import Proposed, propose_renewals

__all__ = [
    "Proposed",
    "UnableToRenew",
    "decide_renewal",
    "execute_renewal",
    "plan_end",
    "propose_renewals",
    "revise_renewal",
]
