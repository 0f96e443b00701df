"""When a reservation ends and until when it works: the one rule behind the ledger, the clock, alerts and calendars."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from reservations.domain.block_extension import extension_waits, paid_end
from reservations.domain.reservation_state import Kind

BLOCK_ENDS_EARLY = timedelta(minutes=30)
"""Every capacity block stops working at least so long before its end."""

ULTRASERVER_ENDS_EARLY = timedelta(minutes=60)

ULTRASERVER_PREFIXES = ("p6e-", "trn2u")
"""Instance types that are in UltraServers only."""


@dataclass(frozen=True, slots=True)
class CountedEnd:
    """The end that counts: ``end_at`` without what is not paid, and ``usable_until`` that belongs to it.

    ``unpaid_end_at``: the end that the provider lists, where an extension to it is not paid and so does not count.
    ``extension_pending``: an extension waits for its payment.
    """

    end_at: datetime | None
    usable_until: datetime | None
    unpaid_end_at: datetime | None = None
    extension_pending: bool = False


def ends_early(shape: str, *, ultraserver: bool | None = None) -> timedelta:
    """How long before its end a block stops working: by what its provider says it is, else by its instance type.

    One of which neither is known is taken for an UltraServer.
    """
    unknown = ultraserver is None and not shape
    ultra = ultraserver or unknown or shape.startswith(ULTRASERVER_PREFIXES)
    return ULTRASERVER_ENDS_EARLY if ultra else BLOCK_ENDS_EARLY


def usable_end(
    *, takes_machines: bool, shape: str, end_at: datetime | None, told: datetime | None = None
) -> datetime | None:
    """Until when a reservation works: as was told, else a block's end − 30 min, − 60 for an UltraServer, else its end.

    ``takes_machines``: its end terminates what runs. What was told counts up to the end; None: it has no end.
    """
    if told is not None:
        return told if end_at is None else min(told, end_at)
    return end_at - ends_early(shape) if takes_machines and end_at is not None else end_at


def counted_end(
    *, kind: str, shape: str, end_at: datetime | None, told: datetime | None, extensions: object
) -> CountedEnd:
    """The end that counts of a reservation as inventory holds it; ``told``: until when it was said to work.

    ``extensions`` are those that EC2 lists of it, in any order.
    """
    paid = None if end_at is None else paid_end(end_at, extensions)
    if told is not None and end_at is not None and paid is not None:
        told -= end_at - paid
    return CountedEnd(
        end_at=paid,
        usable_until=usable_end(takes_machines=kind == Kind.BLOCK.value, shape=shape, end_at=paid, told=told),
        unpaid_end_at=None if paid == end_at else end_at,
        extension_pending=extension_waits(extensions),
    )
