"""From the API to the ledger's inputs: real boto3 over HTTP, real threads, real PostgreSQL."""

import csv
import json
import threading
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from reservations.models import Account, Owner, Pool, PoolMembership, PoolReservationRule, Reservation, SyncRun
from telemetry.services.sync import sync_reservations
from telemetry.sources.synthetic.endpoint import Fault, RegionWorld
from tests.reservations.services.sweep_rows import everything
from tests.telemetry.sources.ec2_world import LAB, NOON, PROD, aws, block, real_client, reservation

pytestmark = pytest.mark.django_db

ROLE = f"arn:aws:iam::{LAB}:role/reader"


@pytest.fixture(autouse=True)
def _real_client(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)


def configure(url: str, *regions: str, external_id: str = "s3cret") -> None:
    Account.objects.create(name="prod", account_id=PROD, regions=regions or ("us-east-1",), endpoint_url=url)
    Account.objects.create(
        name="lab", account_id=LAB, regions=["us-east-1"], endpoint_url=url, role_arn=ROLE, external_id=external_id
    )


def minutes(count: float) -> datetime:
    return NOON + timedelta(minutes=count)


def two_regions(region: str, account_id: str) -> RegionWorld:
    """The west and the east of prod's; the lab sees what is shared with it in the east, and its own."""
    shared = reservation("cr-0shared")
    if region == "us-west-2":
        return RegionWorld([reservation("cr-0west", region=region)])
    if account_id == LAB:
        return RegionWorld([shared, reservation("cr-0lab", owner=LAB)])
    return RegionWorld([shared, block()], used={"cr-0shared": {PROD: 1, LAB: 2}})


def command(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("sync_reservations", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_two_accounts_and_two_regions_become_one_inventory_and_the_shared_one_counts_once() -> None:
    with aws(world=two_regions, external_ids={ROLE: "s3cret"}) as (url, _):
        configure(url, "us-east-1", "us-west-2")
        report = sync_reservations(as_of=NOON)
    assert [(r.account, r.region, r.complete, r.seen) for r in report.regions] == [
        ("lab", "us-east-1", True, 2),
        ("prod", "us-east-1", True, 2),
        ("prod", "us-west-2", True, 1),
    ]
    assert report.sweeps.appeared == ("cr-0blk", "cr-0lab", "cr-0shared", "cr-0west")
    shared = Reservation.objects.get(external_id="cr-0shared")
    assert (shared.owner_account, shared.seen_by) == (PROD, [PROD, LAB])
    assert shared.usage_by_account == {PROD: 1, LAB: 2}


def test_one_region_that_fails_hides_no_other() -> None:
    def west_is_closed(call: Any) -> Fault | None:
        return Fault(status=401, code="AuthFailure") if call.region == "us-west-2" else None

    with aws(world=two_regions, fault=west_is_closed, external_ids={ROLE: "s3cret"}) as (url, _):
        configure(url, "us-east-1", "us-west-2", external_id="wrong")
        report = sync_reservations(as_of=NOON)
    assert report.sweeps.appeared == ("cr-0blk", "cr-0shared")
    assert [(r.account, r.region, r.error_code) for r in report.failed] == [
        ("lab", "us-east-1", "AccessDenied"),
        ("prod", "us-west-2", "AuthFailure"),
    ]
    assert SyncRun.objects.filter(complete=False).count() == 2


def test_a_failed_second_page_makes_nothing_vanish() -> None:
    broken: list[bool] = []

    def second_page(call: Any) -> Fault | None:
        return Fault(status=403, code="UnauthorizedOperation") if broken and "NextToken" in call.given else None

    with aws(reservation(), reservation("cr-0bbb"), page_sizes=(1,), fault=second_page) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        sync_reservations(as_of=NOON)
        broken.append(True)
        report = sync_reservations(as_of=minutes(5))
    assert len(report.failed) == 1
    assert report.sweeps.vanished == ()
    assert not Reservation.objects.filter(missing_since__isnull=False).exists()


def test_rules_decide_which_pool_a_reservation_backs_from_its_first_sync() -> None:
    owner = Owner.objects.create(name="serving")
    pool = Pool.objects.create(name="h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    PoolReservationRule.objects.create(pool=pool, tag_key="team", value="serving")
    with aws(reservation()) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        report = sync_reservations(as_of=NOON)
    membership = PoolMembership.objects.get()
    assert (membership.pool, membership.period.lower, membership.period.upper) == (pool, None, None)
    assert report.assignment.changed == ("cr-0aaa backs h100",)


def a_day_of_changes(sizes: dict[datetime, list[dict[str, Any]]], now: list[datetime]) -> Any:
    return lambda region, account: RegionWorld(sizes[now[0]])


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 0, 4, 0, 1, 3, 2)])
def test_replays_in_any_order_leave_the_rows_of_the_right_one(order: tuple[int, ...]) -> None:
    life = [
        [reservation()],
        [reservation(TotalInstanceCount=6)],
        [],
        [reservation(TotalInstanceCount=6, State="cancelling")],
        [reservation(State="cancelled")],
    ]
    listed = {minutes(5 * i): seen for i, seen in enumerate(life)}
    now = [NOON]
    with aws(world=a_day_of_changes(listed, now)) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        for i in (*range(5), None, *order):
            if i is None:
                in_order = everything()
                Reservation.objects.all().delete()
                SyncRun.objects.all().delete()
                continue
            now[0] = minutes(5 * i)
            sync_reservations(as_of=now[0])
    assert everything() == in_order


@pytest.mark.django_db(transaction=True)
def test_two_syncs_at_once_store_what_one_would() -> None:
    with aws(world=two_regions, external_ids={ROLE: "s3cret"}) as (url, _):
        configure(url, "us-east-1", "us-west-2")
        gate, errors = threading.Barrier(2), []

        def work() -> None:
            try:
                gate.wait(10)
                sync_reservations(as_of=NOON)
            except BaseException as error:
                errors.append(error)
            finally:
                connections.close_all()

        workers = [threading.Thread(target=work) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
        together = everything()
        sync_reservations(as_of=NOON)
    assert errors == []
    assert Reservation.objects.count() == 4
    assert everything() == together


def test_the_command_puts_json_alone_on_stdout() -> None:
    with aws(world=two_regions, external_ids={ROLE: "s3cret"}) as (url, _):
        configure(url)
        out, err = command("--as-of", "2026-05-04T14:00+02:00", "--format", "json")
    found = json.loads(out)
    assert found["as_of"] == "2026-05-04T12:00:00+00:00"
    assert found["appeared"] == ["cr-0blk", "cr-0lab", "cr-0shared"]
    assert [(region["status"], region["seen"]) for region in found["regions"]] == [("complete", 2), ("complete", 2)]
    assert found["remarks"] == ["3 reservations back no pool: cr-0blk, cr-0lab, cr-0shared"]
    assert err.splitlines() == found["remarks"]


def test_the_command_stores_the_rest_and_fails_with_one_line_when_a_region_fails() -> None:
    out, err = StringIO(), StringIO()
    with aws(world=two_regions, external_ids={}) as (url, _):
        configure(url)
        with pytest.raises(CommandError, match="1 of 2 regions not read: lab in us-east-1: ") as failed:
            call_command("sync_reservations", "--format", "csv", "--as-of", "2026-05-04T12:00Z", stdout=out, stderr=err)
    assert "\n" not in str(failed.value)
    assert err.getvalue() == "2 reservations back no pool: cr-0blk, cr-0shared\n"
    rows = list(csv.DictReader(StringIO(out.getvalue())))
    assert [row["status"] for row in rows] == ["failed", "complete"]
    assert Reservation.objects.count() == 2


def test_no_spreadsheet_runs_what_the_commands_csv_names() -> None:
    with aws(reservation()) as (url, _):
        Account.objects.create(name="=prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        out, _ = command("--as-of", "2026-05-04T12:00Z", "--format", "csv")
    assert out == "account,region,status,seen,error_code,error\n'=prod,us-east-1,complete,1,,\n"


def test_the_table_names_what_changed_and_a_denied_detail_is_a_warning() -> None:
    def denied(call: Any) -> Fault | None:
        return Fault(status=403, code="UnauthorizedOperation") if call.action == "DescribeInstanceTypes" else None

    with aws(reservation(), fault=denied) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        out, err = command()
    assert out.splitlines()[0].split() == ["prod", "us-east-1", "degraded", "1"]
    assert "appeared: cr-0aaa" in out
    assert "ec2:DescribeInstanceTypes is not allowed" in err


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("2026-05-04T12:00", "has no offset"),
        ("yesterday", "is not an instant"),
        ("2198-01-01T00:00Z", "lies in the future"),
    ],
)
def test_an_instant_that_cannot_be_is_refused_with_one_sentence(text: str, names: str) -> None:
    with pytest.raises(CommandError, match=names) as refused:
        command("--as-of", text)
    assert "\n" not in str(refused.value)
    assert not SyncRun.objects.exists()


def test_without_accounts_the_command_says_where_they_come_from() -> None:
    with pytest.raises(CommandError, match="apply_config"):
        command()


def test_the_task_of_the_beat_table_syncs_now() -> None:
    from config.celery import app
    from telemetry.tasks import sync_reservations as task

    assert app.conf.beat_schedule["sync_reservations"]["task"] == task.name
    with aws(reservation()) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        task()
    assert abs(SyncRun.objects.get().as_of - datetime.now(UTC)) < timedelta(minutes=1)
