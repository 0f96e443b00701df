from telemetry.models.ledger import DemandHour, PoolHour, PoolHourQueue
from telemetry.models.recollections import Recollection
from telemetry.models.sources import CollectionRun, MetricsSource, PoolSource

__all__ = ["CollectionRun", "DemandHour", "MetricsSource", "PoolHour", "PoolHourQueue", "PoolSource", "Recollection"]
