"""Where an act comes from, which only the door knows: set there once, read where the act is written down."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from reservations.domain.audit_chain import Via


@dataclass(frozen=True, slots=True)
class Origin:
    """By which door, from which network address, and under which number of a request; blank where there is none."""

    via: Via = Via.COMMAND
    address: str = ""
    request_id: str = ""


_COMMAND = Origin()
_ORIGIN: ContextVar[Origin] = ContextVar("audit_origin", default=_COMMAND)


def origin() -> Origin:
    """Where what happens now comes from; a command, unless a door said otherwise."""
    return _ORIGIN.get()


@contextmanager
def coming_from(place: Origin) -> Iterator[None]:
    """Within, every event is from there."""
    token = _ORIGIN.set(place)
    try:
        yield
    finally:
        _ORIGIN.reset(token)
