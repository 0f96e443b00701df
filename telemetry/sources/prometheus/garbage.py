"""Python's cyclic garbage collector, kept out of the way of big answers."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_gc() -> Iterator[None]:
    """No collection inside: a million small lists make it the dearest part of a parse, and it finds nothing there."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
