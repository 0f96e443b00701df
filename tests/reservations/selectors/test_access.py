import pytest
from django.contrib.auth.models import AnonymousUser

from reservations.domain.access import Action, Grant, Role, may
from reservations.models import Owner, Pool, Queue, RoleGrant, User
from reservations.selectors.access import person_of
from reservations.selectors.pools import pool_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def pools() -> dict[str, Pool]:
    """h100 belongs to serving and runs a queue of research; h200 belongs to training alone."""
    owners = {name: Owner.objects.create(name=name) for name in ("serving", "research", "training")}
    h100 = Pool.objects.create(name="h100", owner=owners["serving"], instance_type="p5", gpus_per_node=8)
    h200 = Pool.objects.create(name="h200", owner=owners["training"], instance_type="p5en", gpus_per_node=8)
    Queue.objects.create(pool=h100, cluster_queue="cq-b", owner=owners["research"], workload="batch")
    return {"h100": h100, "h200": h200}


def user(role: Role | None = None, team: str | None = None, **more: bool) -> User:
    person = User.objects.create_user(f"u{User.objects.count()}", **more)
    if role:
        RoleGrant.objects.create(user=person, role=role.value, team=Owner.objects.get(name=team) if team else None)
    return person


def seen(person: User | AnonymousUser) -> list[str]:
    who = person_of(person)
    return [pool.name for pool in pool_rows() if may(who, Action.SEE_POOL, pool.teams)]


@pytest.mark.parametrize(
    ("role", "team", "names"),
    [
        (None, None, []),
        (Role.VIEWER, None, ["h100", "h200"]),
        (Role.OWNER, "serving", ["h100"]),
        (Role.OWNER, "research", ["h100"]),
        (Role.VIEWER, "training", ["h200"]),
    ],
)
def test_a_person_sees_the_pools_of_their_teams(
    pools: dict[str, Pool], role: Role | None, team: str | None, names: list[str]
) -> None:
    assert seen(user(role, team)) == names


def test_a_superuser_is_admin_of_everything(pools: dict[str, Pool]) -> None:
    root = user(is_superuser=True)
    assert seen(root) == ["h100", "h200"]
    assert all(may(person_of(root), action) for action in Action)


def test_who_is_inactive_or_not_logged_in_holds_nothing(pools: dict[str, Pool]) -> None:
    gone = user(Role.ADMIN, is_superuser=True, is_active=False)
    assert person_of(gone).grants == ()
    assert person_of(AnonymousUser()).grants == ()
    assert seen(gone) == seen(AnonymousUser()) == []


def test_staff_of_the_admin_pages_hold_no_role_by_that(pools: dict[str, Pool]) -> None:
    assert seen(user(is_staff=True)) == []


def test_a_pool_belongs_to_its_owner_and_its_queues_owners(pools: dict[str, Pool]) -> None:
    assert {pool.name: set(pool.teams) for pool in pool_rows()} == {
        "h100": {"serving", "research"},
        "h200": {"training"},
    }


def test_grants_come_with_their_teams(pools: dict[str, Pool]) -> None:
    assert person_of(user(Role.OWNER, "serving")).grants == (Grant(Role.OWNER, "serving"),)


def test_many_pools_cost_no_more_queries(pools: dict[str, Pool], django_assert_num_queries: object) -> None:
    viewer = user(Role.VIEWER)
    with django_assert_num_queries(2):  # type: ignore[operator]
        seen(viewer)
