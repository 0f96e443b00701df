"""What goes to a stop hook, and the signature by which it knows that Moorage sent it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scheduler.domain.signed import signed_headers

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


def headers(secret: str, request: StopRequest, sent_at: datetime) -> Mapping[str, str]:
    """What stands in the head of a stop request."""
    return {**signed_headers(secret, request.body(), sent_at), IDEMPOTENCY_KEY: request.id}
