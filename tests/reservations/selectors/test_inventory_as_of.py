"""“Data as of” follows what is configured, not what was ever tried."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.models import Account, SyncRun
from reservations.selectors.inventory_as_of import inventory_as_of
from reservations.selectors.syncs import RegionSync, region_syncs
from tests.reservations.services.sweep_rows import LAB, PROD, at

pytestmark = pytest.mark.django_db


@pytest.fixture
def prod(db: None) -> Account:
    account = Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1", "us-west-2"])
    swept(account, "us-east-1", 10, 20)
    swept(account, "us-west-2", 5, 15)
    return account


def swept(account: Account, region: str, *minutes: float, complete: bool = True) -> None:
    for minute in minutes:
        SyncRun.objects.create(
            account=account, region=region, as_of=at(minute), finished_at=at(minute), complete=complete,
            error="" if complete else "it is no region", degraded={"ec2:X": "X is not allowed"} if complete else {},
        )  # fmt: skip


def configured(account: Account, *regions: str) -> None:
    Account.objects.filter(pk=account.pk).update(regions=list(regions))


def test_it_is_the_oldest_of_the_regions_last_complete_sweeps(prod: Account) -> None:
    assert inventory_as_of() == at(15)
    swept(prod, "us-west-2", 30, complete=False)
    assert inventory_as_of() == at(15)
    swept(prod, "us-west-2", 25)
    assert inventory_as_of() == at(20)


def test_a_region_that_is_no_longer_configured_holds_nothing_back(prod: Account) -> None:
    configured(prod, "us-east-1")
    assert inventory_as_of() == at(20)


def test_a_mistyped_region_blanks_it_until_it_is_mended_and_no_longer(prod: Account) -> None:
    configured(prod, "us-east-1", "us-wset-2")
    swept(prod, "us-wset-2", 20, complete=False)
    assert inventory_as_of() is None
    configured(prod, "us-east-1", "us-west-2")
    assert inventory_as_of() == at(15)


def test_a_region_that_is_configured_and_was_never_tried_counts(prod: Account) -> None:
    configured(prod, "us-east-1", "us-west-2", "eu-central-1")
    assert inventory_as_of() is None
    configured(prod, "us-east-1", "us-west-2")
    Account.objects.create(name="lab", account_id=LAB, regions=["us-east-1"])
    assert inventory_as_of() is None


def test_without_an_account_nothing_is_known() -> None:
    assert inventory_as_of() is None


def test_the_state_of_every_region_comes_in_the_order_it_is_configured_in_and_in_one_query(prod: Account) -> None:
    swept(prod, "us-west-2", 30, complete=False)
    Account.objects.create(name="lab", account_id=LAB, regions=["us-west-2"])
    with CaptureQueriesContext(connection) as queries:
        lab, east, west = region_syncs()
    assert len(queries) == 1
    assert lab == RegionSync("lab", "aws", "us-west-2", None, None, "", (), None)
    assert (east.region, east.last_complete_at, east.degraded, east.reservations_seen) == (
        "us-east-1", at(20), ("X is not allowed",), 0,
    )  # fmt: skip
    assert (west.region, west.last_complete_at, west.last_error_at, west.last_error) == (
        "us-west-2", at(15), at(30), "it is no region",
    )  # fmt: skip
