"""Questions to the allocator: answered at once, or asked for in the background and worked off by a worker."""

from scheduler.services.allocation.answering import (
    AllocationAnswer,
    AllocationAsked,
    allocation_answer,
    allocation_answer_of,
    warm_up_allocator,
)
from scheduler.services.allocation.rolling_over import rolling_answer
from scheduler.services.allocation.runs import (
    cancel_allocation_run,
    forget_old_allocation_runs,
    request_allocation_run,
)
from scheduler.services.allocation.verifying import verdict
from scheduler.services.allocation.working_off import run_allocations

__all__ = [
    "AllocationAnswer",
    "AllocationAsked",
    "allocation_answer",
    "allocation_answer_of",
    "cancel_allocation_run",
    "forget_old_allocation_runs",
    "request_allocation_run",
    "rolling_answer",
    "run_allocations",
    "verdict",
    "warm_up_allocator",
]
