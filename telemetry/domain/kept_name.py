"""Names and sentences that others gave, as the database can hold them."""

import re
from hashlib import sha256

LONGEST = 253
"""What Kubernetes allows the name of a node, a pod, a namespace or a queue."""

LONGEST_UID = 80
LONGEST_UUID = 300

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_MARK = 8


def kept_text(text: str) -> str:
    """The text with the sign for it where it holds what no database keeps."""
    return _NO_TEXT.sub("�", text)


def kept_name(name: str, most: int) -> str:
    """A name in at most ``most`` characters, as it is if it can be kept: the same for the same, others for others.

    Of any other its beginning stays, with a mark of the whole.
    """
    clean = kept_text(name)
    if clean == name and len(name) <= most:
        return name
    mark = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"{clean[: most - _MARK - 1]}~{mark}"
