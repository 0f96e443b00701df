"""What goes to a stop hook, and the signature by which it knows that Moorage sent it."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from reservations.domain.period import epoch_ms

SIGNATURE = "Moorage-Signature"
TIMESTAMP = "Moorage-Timestamp"
IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class StopRequest:
    """One request to stop; ``id`` is the same however often it is sent, and goes into the checkpoint's manifest."""

    id: str
    job: str
    reservation: str
    end_at: datetime
    usable_until: datetime
    checkpoint_location: str

    def body(self) -> bytes:
        """The request as JSON, the same bytes each time."""
        said = {
            "event": "stop",
            "id": self.id,
            "job": self.job,
            "reservation": self.reservation,
            "end": self.end_at.isoformat(),
            "usable_until": self.usable_until.isoformat(),
            "checkpoint": self.checkpoint_location,
        }
        return json.dumps(said, ensure_ascii=False).encode()


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA256 in hex over the timestamp, a full stop and the body."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def headers(secret: str, request: StopRequest, sent_at: datetime) -> Mapping[str, str]:
    """What stands in the head of a stop request; the timestamp is in whole seconds since 1970."""
    timestamp = str(epoch_ms(sent_at) // 1000)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Moorage",
        IDEMPOTENCY_KEY: request.id,
        TIMESTAMP: timestamp,
        SIGNATURE: f"sha256={signature(secret, timestamp, request.body())}",
    }
