"""The signature by which a receiver knows that Moorage sent a message, and when."""

import hashlib
import hmac

HEADER = "Moorage-Signature"


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """``t=…,v1=…``: the second since 1970, and HMAC-SHA256 in hex over it, a full stop and the body."""
    digest = hmac.new(secret.encode(), str(timestamp).encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"
