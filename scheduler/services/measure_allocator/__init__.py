"""How good and how fast the allocator is, on instances that it was never tuned on."""

from scheduler.services.measure_allocator.measuring import PARTS, measure_allocator
from scheduler.services.measure_allocator.protocol import FULL, QUICK, Protocol
from scheduler.services.measure_allocator.targets import Target, targets_of

__all__ = ["FULL", "PARTS", "QUICK", "Protocol", "Target", "measure_allocator", "targets_of"]
