"""Making recommendations, and deciding on them."""

from scheduler.services.recommendations.deciding import UnableToDecide, decide_on
from scheduler.services.recommendations.making import Made, recommend

__all__ = ["Made", "UnableToDecide", "decide_on", "recommend"]
