"""The secret in a feed's address: whoever has it reads the calendar, so that only its hash is kept."""

import re

from reservations.domain.tokens import SECRET_BYTES, secret_hash

SHOWN = 6
"""How much of a secret is kept to tell feeds apart: 24 of its 256 random bits."""

_SHAPE = re.compile(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}", re.ASCII)

__all__ = ["SECRET_BYTES", "SHOWN", "feed_prefix", "is_feed_secret", "secret_hash"]


def feed_prefix(secret: str) -> str:
    """The beginning of a secret that is shown in lists."""
    return secret[:SHOWN]


def is_feed_secret(text: str) -> bool:
    """Whether a text has the form of a secret: all else is unknown without asking the database."""
    return _SHAPE.fullmatch(text) is not None
