"""The demo fleet: a usage source and a capacity source over one world that is computed, not stored."""

from contextlib import nullcontext

from telemetry.sources.synthetic.usage import fetch

__all__ = ["fetch", "open_session"]


def open_session() -> nullcontext[None]:
    """Nothing to share between hours, as what a run opens and closes."""
    return nullcontext()
