"""Environment variables that are not believed blindly: what can’t be meant is refused in one sentence."""

import os

from django.core.exceptions import ImproperlyConfigured

from scheduler.domain.outside_address import Network, UnableToUseAddress, networks

WORDS = {True: ("1", "true", "yes", "on"), False: ("0", "false", "no", "off")}


def switch(name: str, *, default: bool) -> bool:
    """On or off; the default where it is unset or empty, ImproperlyConfigured where the word is unknown."""
    given = os.environ.get(name, "").strip().lower()
    if not given:
        return default
    for value, words in WORDS.items():
        if given in words:
            return value
    spellings = "; ".join(f"{'on' if value else 'off'}: {', '.join(words)}" for value, words in WORDS.items())
    raise ImproperlyConfigured(
        f"{name}={os.environ[name]!r} is neither on nor off: set it to one of these ({spellings})"
    )


def choice(name: str, words: tuple[str, ...]) -> str:
    """One of some words; the first where it is unset or empty, ImproperlyConfigured for any other."""
    given = os.environ.get(name, "").strip().lower() or words[0]
    if given not in words:
        raise ImproperlyConfigured(f"{name}={os.environ[name]!r} is none of {', '.join(words)}")
    return given


def count(name: str, *, default: int, least: int = 1) -> int:
    """A whole number; the default where it is unset or empty, ImproperlyConfigured where it is none or too small."""
    given = os.environ.get(name, "").strip()
    if not given:
        return default
    if not (given.isascii() and given.isdigit() and len(given) < 7 and int(given) >= least):
        raise ImproperlyConfigured(f"{name}={os.environ[name]!r} must be a whole number of {least} or more")
    return int(given)


def private_networks(name: str, *, default: tuple[str, ...]) -> tuple[Network, ...]:
    """Networks separated by commas; the default where it is unset or empty, ImproperlyConfigured for what is none."""
    given = os.environ.get(name, "").strip()
    try:
        return networks(given.split(",") if given else default)
    except UnableToUseAddress as unable:
        raise ImproperlyConfigured(f"{name}: {unable}") from unable
