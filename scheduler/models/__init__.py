from scheduler.models.alerts import AlertEpisode, AlertEvaluation, EpisodeNote, RuleThreshold
from scheduler.models.allocation_runs import AllocationRun
from scheduler.models.calendar import CalendarEntry, CalendarFeed
from scheduler.models.deliveries import Delivery, Digest, NotificationRoute
from scheduler.models.ending_jobs import CheckpointDuration, EndingJob, EndStep
from scheduler.models.exception_outcomes import ExceptionOutcome
from scheduler.models.growth import CommittedGrowth
from scheduler.models.kept_scenarios import KeptScenario
from scheduler.models.recommendations import PurchaseAssumption, Recommendation, RecommendationDecision
from scheduler.models.renewals import EndPlan, Renewal, RenewalStep
from scheduler.models.replays import MonthReplay

__all__ = [
    "AlertEpisode",
    "AlertEvaluation",
    "AllocationRun",
    "CalendarEntry",
    "CalendarFeed",
    "CheckpointDuration",
    "CommittedGrowth",
    "Delivery",
    "Digest",
    "EndPlan",
    "EndStep",
    "EndingJob",
    "EpisodeNote",
    "ExceptionOutcome",
    "KeptScenario",
    "MonthReplay",
    "NotificationRoute",
    "PurchaseAssumption",
    "Recommendation",
    "RecommendationDecision",
    "Renewal",
    "RenewalStep",
    "RuleThreshold",
]
