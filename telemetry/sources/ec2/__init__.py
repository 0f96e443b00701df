"""AWS EC2 capacity reservations of one account and region, read with boto3; nothing is ever changed there."""

from telemetry.sources.ec2.opening import UnableToOpen, open_cost_explorer
from telemetry.sources.ec2.region import fetch

__all__ = ["UnableToOpen", "fetch", "open_cost_explorer"]
