"""An extension of a capacity block moves nothing before it is paid: unpaid, the block ends at its old date."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

PAID, PENDING = "payment-succeeded", "payment-pending"


def paid_end(end_at: datetime, told: object) -> datetime:
    """The end a block has without the extensions that are not paid, pending or failed.

    ``told``: the extensions as EC2 lists them, in any order; what cannot be read of them is passed over.
    """
    extensions = [one for one in told if isinstance(one, Mapping)] if isinstance(told, Iterable) else []
    for _ in extensions:
        reaching = [one for one in extensions if _date(one, "End") == end_at]
        starts = [start for one in reaching if (start := _date(one, "Start")) is not None and start < end_at]
        if not starts or any(one.get("CapacityBlockExtensionStatus") == PAID for one in reaching):
            break
        end_at = min(starts)
    return end_at


def extension_waits(told: object) -> bool:
    """Whether one of a block's extensions is not paid yet, and may still be."""
    extensions = told if isinstance(told, list) else []
    return any(isinstance(one, Mapping) and one.get("CapacityBlockExtensionStatus") == PENDING for one in extensions)


def _date(extension: Mapping[str, object], which: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(extension.get(f"CapacityBlockExtension{which}Date")))
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at
