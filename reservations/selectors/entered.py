"""A reservation as people entered it, and who may be named in such an entry."""

from dataclasses import dataclass
from datetime import datetime

from reservations.domain.access import Action, Person, may, reach
from reservations.domain.manual_entry import Entry
from reservations.models import Reservation
from reservations.selectors.pools import pool_rows
from reservations.selectors.teams import team_names


@dataclass(frozen=True, slots=True)
class EntryChoices:
    """Whom a person may enter reservations for; ``nobodys``: also such as nobody answers for."""

    owners: tuple[str, ...]
    pools: tuple[tuple[str, str], ...]
    nobodys: bool


def entered(*, pk: int, as_of: datetime) -> Entry:
    """What stands in the form of one that was entered by hand; its pool is the one it backs at an instant."""
    row = Reservation.objects.select_related("owner").get(pk=pk)
    pool = row.memberships.filter(period__contains=as_of).values_list("pool__name", flat=True).first()
    return Entry(
        provider=row.provider,
        external_id=row.external_id,
        shape=row.shape,
        gpus_per_instance=row.gpus_per_instance,
        zone_id=row.zone_id,
        start_at=row.start_at,
        end_at=row.end_at,
        usable_until=row.usable_until,
        upfront_fee=row.upfront_fee,
        currency=row.upfront_fee_currency,
        owner=row.owner.name if row.owner else None,
        pool=pool,
        sizes=tuple((datetime.fromisoformat(since), instances) for since, instances in row.entered_sizes),
    )


def entry_choices(*, person: Person) -> EntryChoices:
    """The teams and pools (with their instance types) a person may name."""
    teams = reach(person, Action.EDIT_RESERVATION)
    pools = [pool for pool in pool_rows() if may(person, Action.EDIT_RESERVATION, {pool.owner})]
    return EntryChoices(
        owners=tuple(name for name in team_names() if teams is None or name in teams),
        pools=tuple((pool.name, pool.instance_type) for pool in pools),
        nobodys=teams is None,
    )
