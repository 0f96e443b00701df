"""The demo fleet: a usage source and a capacity source over one world that is computed, not stored."""

from telemetry.sources.synthetic.usage import fetch

__all__ = ["fetch"]
