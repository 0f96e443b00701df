"""What is no business of a person's is neither changed nor told by registering a job."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reservations.models import Owner, Reservation, RoleGrant
from scheduler.models import EndingJob
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import problem
from tests.scheduler.api.test_blocks import Asking
from tests.scheduler.blocks_that_end import block

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(cast: Cast) -> Reservation:
    """A block of the team serving that ends in ten hours."""
    end = timezone.now() + timedelta(hours=10)
    return block("cr-0b10c", "serving", end_at=end, usable_until=end - timedelta(minutes=30))


def granted(cast: Cast, role: str) -> Asking:
    """The owner of research, who has a role for serving too."""
    RoleGrant.objects.create(user=cast.borrower, role=role, team=Owner.objects.get(name="serving"))
    return Asking(cast.borrower)


def test_who_only_sees_a_block_registers_no_job_of_another_team_on_it_and_closes_it_to_nobody(
    cast: Cast, held: Reservation, storage: object
) -> None:
    asking = granted(cast, "viewer")
    open_until = asking.get("blocks/cr-0b10c/clock").json()["no_admit_after"]
    refused = asking.register(owner="research", checkpoint_durations=[{"seconds": 7200}])
    assert refused.status_code == 403
    assert problem(refused)["detail"].startswith("cr-0b10c is not the team “research”'s")
    assert EndingJob.objects.count() == 0
    assert asking.get("blocks/cr-0b10c/clock").json()["no_admit_after"] == open_until


def test_who_may_register_for_the_blocks_own_team_lets_another_ones_job_on_it(
    cast: Cast, held: Reservation, storage: object
) -> None:
    assert granted(cast, "operator").register(owner="research").status_code == 201


FALLING = {"decision": "fall_back", "fallback_nodes": 1, "fallback_instance_type": "p4d.24xlarge"}


@pytest.mark.parametrize("pool", ["arms", "arm", "no-such"])
def test_a_fallback_is_a_pool_one_may_see_and_no_other_is_named(
    cast: Cast, held: Reservation, storage: object, pool: str
) -> None:
    asking = Asking(cast.owner)
    refused = asking.register(**FALLING, fallback_pool=pool)
    assert refused.status_code == 422
    said = problem(refused)["detail"]
    assert said == f"There is no pool “{pool}” that you may see; there is serve-h100."
    assert EndingJob.objects.count() == 0
    number = asking.register(**FALLING, fallback_pool="serve-h100").json()["number"]
    moved = asking.send("patch", f"jobs/{number}", {"plan": {**FALLING, "fallback_pool": pool}})
    assert (moved.status_code, problem(moved)["detail"]) == (422, said)
    assert EndingJob.objects.get().fallback_pool == cast.pool
