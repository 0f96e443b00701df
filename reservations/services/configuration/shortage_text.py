"""q and L as somebody types them, read by the same rules as a configuration file."""

from collections.abc import Mapping

from pydantic import ValidationError

from reservations.domain.break_even import Shortage
from reservations.services.configuration.entries import ShortageEntry
from reservations.services.shortage import ShortageTold


class UnableToReadShortage(ValueError):
    """A text is not what its name wants; the message is one sentence."""


def shortage_told(values: Mapping[str, object], *, count_days: int | None) -> ShortageTold:
    """A record to store; with ``count_days`` q is left to be estimated. UnableToReadShortage for the first fault."""
    try:
        entry = ShortageEntry.model_validate(dict(values))
    except ValidationError as refused:
        error = refused.errors(include_url=False)[0]
        name = ".".join(map(str, error["loc"])).replace("_", " ")
        said = str(error.get("ctx", {}).get("error", error["msg"]))
        raise UnableToReadShortage(f"{name}: {said}" if name else said) from refused
    return ShortageTold(
        start=entry.start,
        end=entry.end,
        shortage_cost=entry.shortage_cost,
        currency=entry.currency,
        convention=Shortage(entry.convention),
        source=entry.source or "",
        fail_probability=None if count_days else entry.fail_probability,
        count_days=count_days,
    )
