"""Which pool a reservation backs, as the pools' rules say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """One rule of one pool: an id or an ARN, or with ``tag_key`` a tag and its value."""

    pool: str
    value: str
    tag_key: str = ""

    def fits(self, *, external_id: str, arn: str, tags: Mapping[str, str]) -> bool:
        """Whether the rule names this reservation."""
        if self.tag_key:
            return tags.get(self.tag_key) == self.value
        return self.value in (external_id, arn)


@dataclass(frozen=True, slots=True)
class AssignmentReport:
    """What changed, as sentences; ``refused`` says what could not be decided and what to mend."""

    changed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class UnableToAssign(Exception):
    """Two pools claim one reservation."""


def claimed_pool(claims: Iterable[Claim], *, external_id: str, arn: str, tags: Mapping[str, str]) -> str | None:
    """The one pool whose rules name a reservation, None when none does; UnableToAssign when several do."""
    pools = sorted({claim.pool for claim in claims if claim.fits(external_id=external_id, arn=arn, tags=tags)})
    if len(pools) > 1:
        raise UnableToAssign(f"{external_id} is claimed by the pools {' and '.join(pools)}: leave it to one of them")
    return pools[0] if pools else None
