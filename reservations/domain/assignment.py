"""Which pool a reservation backs, as the pools' rules say (docs/inventory.md#memberships)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

NAMED = 3


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
    """What changed, as sentences; ``refused``: what was not assigned and what to mend; ``remarks``: what to check."""

    changed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class UnableToAssign(Exception):
    """Two pools claim one reservation, or one claims a reservation of another instance type."""


def claimed_pool(claims: Iterable[Claim], *, external_id: str, arn: str, tags: Mapping[str, str]) -> str | None:
    """The one pool whose rules name a reservation, None when none does; UnableToAssign when several do."""
    pools = sorted({claim.pool for claim in claims if claim.fits(external_id=external_id, arn=arn, tags=tags)})
    if len(pools) > 1:
        raise UnableToAssign(f"{external_id} is claimed by the pools {' and '.join(pools)}: leave it to one of them")
    return pools[0] if pools else None


def checked_shape(shape: str, *, external_id: str, pool: str, instance_type: str) -> str:
    """A reservation's instance type, blank while unknown; UnableToAssign when the pool is of another."""
    if shape and shape != instance_type:
        raise UnableToAssign(
            f"{external_id} holds {shape} and cannot back the pool {pool} of {instance_type}: "
            f"give it to a pool of its own type, or mend instance_type"
        )
    return shape


def gpus_remark(gpus_per_instance: Decimal | None, *, external_id: str, pool: str, gpus_per_node: Decimal) -> str:
    """One sentence where the catalogue counts other GPUs than the pool, whose figure decides; blank else."""
    if gpus_per_instance is None or gpus_per_instance == gpus_per_node:
        return ""
    return (
        f"{external_id} has {gpus_per_instance.normalize():f} GPUs per instance in the catalogue and backs the pool "
        f"{pool} with gpus_per_node {gpus_per_node.normalize():f}, which decides: check it"
    )


def unseen_remarks(claims: Iterable[Claim], *, shown: Collection[str]) -> list[str]:
    """One sentence for each rule by an id or ARN that is not among those any list ever showed."""
    unseen = sorted({(claim.value, claim.pool) for claim in claims if not claim.tag_key and claim.value not in shown})
    return [f"{value} of the pool {pool} is in no list so far: check the id" for value, pool in unseen]


def unbacking_remark(external_ids: Sequence[str]) -> str:
    """How many of the reservations at hand back no pool, a few of them by name; blank when there is none."""
    if not external_ids:
        return ""
    count = len(external_ids)
    named = ", ".join(external_ids[:NAMED]) + (f" and {count - NAMED} more" if count > NAMED else "")
    return f"{count} {'reservation backs' if count == 1 else 'reservations back'} no pool: {named}"


def by_hand_remarks(claims: Iterable[Claim], *, by_hand: Sequence[str], shown: Collection[str]) -> list[str]:
    """What is odd about reservations entered by hand: a list shows the same id, or a rule names them in vain."""
    named = {claim.value: claim.pool for claim in claims if not claim.tag_key}
    twice = [
        f"{name} was entered by hand and is listed too: declare the entered one void"
        for name in by_hand
        if name in shown
    ]
    in_vain = [
        f"{name} of the pool {named[name]} was entered by hand: say on its own page which pool it backs"
        for name in by_hand
        if name in named and name not in shown
    ]
    return [*twice, *in_vain]
