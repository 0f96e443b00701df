from telemetry.models.days import PoolDay
from telemetry.models.demand import HourAsked, HourQueued
from telemetry.models.details import HeldPod, HourNode, HourPod, HourSuspect
from telemetry.models.ledger import DemandHour, PoolHour, PoolHourQueue
from telemetry.models.queue_days import PoolDayQueue
from telemetry.models.recollections import Recollection
from telemetry.models.sources import CollectionRun, MetricsSource, PoolSource

__all__ = [
    "CollectionRun",
    "DemandHour",
    "HeldPod",
    "HourAsked",
    "HourNode",
    "HourPod",
    "HourQueued",
    "HourSuspect",
    "MetricsSource",
    "PoolDay",
    "PoolDayQueue",
    "PoolHour",
    "PoolHourQueue",
    "PoolSource",
    "Recollection",
]
