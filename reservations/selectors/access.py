"""Who somebody is and which pools they may see (DESIGN §10); leave itself is ``reservations.domain.access.may``."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from reservations.domain.access import Action, Grant, Person, Role, may
from reservations.models import Pool, Queue, RoleGrant
from reservations.selectors.pools import PoolRow, pool_rows


def person_of(user: AbstractBaseUser | AnonymousUser) -> Person:
    """The person behind a log-in with every grant: a superuser is admin of everything, an inactive user nothing."""
    if not user.is_active or user.pk is None:
        return Person(user.get_username())
    grants = RoleGrant.objects.filter(user_id=user.pk).order_by("role", "team__name").values_list("role", "team__name")
    granted = tuple(Grant(Role(role), team) for role, team in grants)
    if getattr(user, "is_superuser", False):
        granted = (Grant(Role.ADMIN), *granted)
    return Person(user.get_username(), granted)


def teams_of_pool(pool_id: int) -> frozenset[str]:
    """The teams a pool belongs to: its owner and its queues' owners; empty when there is no such pool."""
    owner = Pool.objects.filter(pk=pool_id).values_list("owner__name", flat=True)
    queue_owners = Queue.objects.filter(pool_id=pool_id).values_list("owner__name", flat=True)
    return frozenset(owner.union(queue_owners))


def visible_pools(user: AbstractBaseUser | AnonymousUser) -> list[PoolRow]:
    """The pools a log-in may see, by name, in two queries."""
    person = person_of(user)
    return [pool for pool in pool_rows() if may(person, Action.SEE_POOL, pool.teams)] if person.grants else []
