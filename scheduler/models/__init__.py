from scheduler.models.allocation_runs import AllocationRun
from scheduler.models.growth import CommittedGrowth
from scheduler.models.kept_scenarios import KeptScenario

__all__ = ["AllocationRun", "CommittedGrowth", "KeptScenario"]
