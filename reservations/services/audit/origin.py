"""Where an act comes from, which only the door knows: set there once, read where the act is written down."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from getpass import getuser

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from reservations.domain.audit_chain import Via

By = AbstractBaseUser | AnonymousUser | tuple[str, str] | str | None
"""Who does something: a log-in, its name and number, a name that the door was told, or nobody who is known."""


@dataclass(frozen=True, slots=True)
class Origin:
    """By which door, as whom, from which network address, in which request and to which address of the site."""

    via: Via = Via.COMMAND
    by: By = None
    address: str = ""
    request_id: str = ""
    asked: str = ""


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


def speak_for(by: By) -> None:
    """From here to the end of the request it is this person who acts: a token was read."""
    _ORIGIN.set(replace(origin(), by=by))


def named(by: By, place: Origin) -> tuple[str, str]:
    """The name and the number of who acts: ``by``, else whom the door knows, else who runs the command."""
    said, known = _name(by), _name(place.by)
    if said[0] and said[0] != known[0]:
        return said
    return known if known[0] or place.via is not Via.COMMAND else (_account(), "")


def _name(by: By) -> tuple[str, str]:
    if by is None or isinstance(by, str):
        return by or "", ""
    if isinstance(by, tuple):
        return by
    return (by.get_username(), str(by.pk)) if by.pk is not None else ("", "")


def _account() -> str:
    """The operating system's account that a command runs as."""
    try:
        return f"{getuser()} (operating system)"
    except (OSError, KeyError):  # a container may know its account by number alone
        return ""
