from scheduler.models.allocation_runs import AllocationRun
from scheduler.models.kept_scenarios import KeptScenario

__all__ = ["AllocationRun", "KeptScenario"]
