"""What a capacity source is asked."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RegionQuestion:
    """Which account and region to list, as whom and at what instant; blank ``endpoint_url``: the provider's own.

    ``shapes`` are those whose running instances are asked for, with the shapes of what the region itself lists.
    """

    account: str
    account_id: str
    region: str
    as_of: datetime
    role_arn: str = ""
    external_id: str = ""
    endpoint_url: str = ""
    shapes: frozenset[str] = frozenset()
