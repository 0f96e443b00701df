"""Trying to send one message, and what its row says of it afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db import DatabaseError
from django.views.decorators.debug import sensitive_variables

from reservations.services.sealed import UnableToOpen
from scheduler.domain.alert.delivery import DeliveryState, wait_after
from scheduler.domain.alert.hours import quiet_end
from scheduler.domain.alert.message import Message, UnableToDeliver
from scheduler.domain.outside_address import Network
from scheduler.models import Delivery, Digest
from scheduler.services.deliveries.recipients import Reached
from scheduler.services.notification_routes import channel_named

FAULT = "Moorage could not send this by a fault of its own: the worker's log has it."

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a message is not out."""

    sentence: str
    permanent: bool


@sensitive_variables("address", "secret")
def tried(to: Reached, message: Message, networks: Sequence[Network]) -> Failed | None:
    """Send a message once; None where it is out. What nobody could foresee is a failure like another, so that one
    message never keeps the rest."""
    try:
        address, secret = to.address()
        channel_named(to.channel).send(address, secret, message, networks)
    except UnableToDeliver as unable:
        return Failed(str(unable), unable.permanent)
    except UnableToOpen as unable:
        return Failed(str(unable), permanent=False)
    except DatabaseError:
        raise
    except Exception:
        log.exception("message not sent", message=message.id, channel=to.channel)
        return Failed(FAULT, permanent=False)
    return None


def write_outcome(row: Delivery | Digest, failed: Failed | None, to: Reached, *, urgent: bool, at: datetime) -> None:
    """Note in memory what became of a try: out, given up, or due again after a while and out of quiet hours."""
    row.attempts += 1
    if failed is None:
        row.state, row.sent_at, row.error = DeliveryState.SENT.value, at, ""
        return
    row.error = failed.sentence[:300]
    wait = None if failed.permanent else wait_after(row.attempts)
    if wait is None:
        row.state = DeliveryState.FAILED.value
        return
    row.try_at = at + wait if urgent else quiet_end(at + wait, *to.quiet, to.clock)
