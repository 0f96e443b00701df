"""Addresses of this site as a person may store them: a path with its query, never a way out."""

import re
from urllib.parse import urlsplit

LONGEST = 2000


class UnableToKeepPath(ValueError):
    """An address is none of this site's pages; the message is one sentence."""


def site_path(text: str) -> str:
    """The path and query of an address of this site, without its fragment; UnableToKeepPath for any other.

    Browsers read ``\\`` as ``/`` and drop control characters, so an address with either is refused whole.
    """
    if len(text) > LONGEST:
        raise UnableToKeepPath(f"that address is longer than {LONGEST} characters")
    if not text.startswith("/") or re.search(r"[\x00-\x20\x7f\\]", text) or text.startswith("//"):
        raise UnableToKeepPath("only an address of this site can be kept: one that begins with a single slash")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise UnableToKeepPath("that address cannot be read") from error
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
