"""Environment variables that are not believed blindly: a word that means neither on nor off is refused."""

import os

from django.core.exceptions import ImproperlyConfigured

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
