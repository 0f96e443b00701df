"""AWS Cost Explorer: how far commitments were used and what they covered, a day at a time; each request costs money."""

from telemetry.sources.cost_explorer.asking import fetch

__all__ = ["fetch"]
