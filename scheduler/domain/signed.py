"""The one signature by which a receiver knows that Moorage sent something, and when: stop requests and messages."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime

from reservations.domain.period import epoch_ms

SIGNATURE = "Moorage-Signature"
TIMESTAMP = "Moorage-Timestamp"


def signed_headers(secret: str, body: bytes, sent_at: datetime) -> Mapping[str, str]:
    """The head of a signed POST of JSON: the whole second since 1970, and ``sha256=`` with HMAC-SHA256 in hex over
    that second, a full stop and the body."""
    timestamp = str(epoch_ms(sent_at) // 1000)
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "User-Agent": "Moorage",
        TIMESTAMP: timestamp,
        SIGNATURE: f"sha256={digest}",
    }
