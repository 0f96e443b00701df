from scheduler.models.allocation_runs import AllocationRun
from scheduler.models.growth import CommittedGrowth
from scheduler.models.kept_scenarios import KeptScenario
from scheduler.models.recommendations import PurchaseAssumption, Recommendation, RecommendationDecision
from scheduler.models.replays import MonthReplay

__all__ = [
    "AllocationRun",
    "CommittedGrowth",
    "KeptScenario",
    "MonthReplay",
    "PurchaseAssumption",
    "Recommendation",
    "RecommendationDecision",
]
