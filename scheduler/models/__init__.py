from scheduler.models.allocation_runs import AllocationRun

__all__ = ["AllocationRun"]
