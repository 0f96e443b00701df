"""Secrets that have to be read again (a hook's key, a channel's address), encrypted at rest.

The key is derived from ``SECRET_KEY``; what was sealed under one of ``SECRET_KEY_FALLBACKS`` can still be opened.
"""

import base64
from collections.abc import Iterator

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.core.signing import Signer
from django.views.decorators.debug import sensitive_variables

PURPOSE = b"moorage sealed secrets, first form"
"""Tells this key from every other that the same setting may be used for."""


class UnableToOpen(ValueError):
    """A sealed text that no key of today opens; the message is one sentence and holds nothing of the secret."""


@sensitive_variables("text")
def sealed(text: str) -> str:
    """A text as it may be stored: Fernet (AES-128-CBC with HMAC-SHA256), another each time."""
    return _keys().encrypt(text.encode()).decode("ascii")


@sensitive_variables()
def opened(kept: str) -> str:
    """The text behind what :func:`sealed` gave; UnableToOpen where it was altered or its key is gone."""
    try:
        return _keys().decrypt(kept.encode("ascii")).decode()
    except (InvalidToken, UnicodeError) as error:
        raise UnableToOpen(
            "A stored secret cannot be read with today's SECRET_KEY: enter it anew, or put the former key into"
            " SECRET_KEY_FALLBACKS."
        ) from error


@sensitive_variables()
def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in _derived()])


@sensitive_variables()
def _derived() -> Iterator[bytes]:
    today = Signer()  # it knows the site's key and the former ones
    for secret in (today.key, *today.fallback_keys):
        derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE)
        yield base64.urlsafe_b64encode(derive.derive(str(secret).encode()))
