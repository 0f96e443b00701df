"""What Cost Explorer is asked about an account's commitments."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class CommitmentQuestion:
    """The UTC days ``[start, end)`` of one account, and of which commitments.

    ``plans`` are the provider's ids or ARNs of savings plans; reserved instances are told of together.
    """

    account: str
    account_id: str
    start: date
    end: date
    asked_at: datetime
    plans: tuple[str, ...] = ()
    reserved_instances: bool = False
