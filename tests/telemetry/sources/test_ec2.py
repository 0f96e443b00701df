"""EC2 through the real boto3 client, over HTTP, against an endpoint that writes botocore's own shapes."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from reservations.domain.reservation_state import EC2_STATES, Kind, State
from telemetry.sources.ec2 import fetch
from telemetry.sources.synthetic.endpoint import Fault
from tests.telemetry.sources.ec2_world import LAB, NOON, PROD, STARTED, aws, block, question, real_client, reservation


@pytest.fixture(autouse=True)
def _real_client(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)


def only(**said: Any) -> Any:
    with aws(reservation(**said)) as (url, _):
        (row,) = fetch(question(url)).listed
    return row


def test_an_ordinary_reservation_says_nothing_of_its_type_and_is_on_demand() -> None:
    with aws(reservation(), used={"cr-0aaa": {PROD: 2, LAB: 1}}) as (url, _):
        sweep = fetch(question(url))
    (row,) = sweep.listed
    assert (sweep.complete, sweep.degraded, sweep.error) == (True, {}, "")
    assert (row.kind, row.state, row.total_count, row.available_count) == (Kind.ON_DEMAND, State.ACTIVE, 4, 1)
    assert (row.zone_id, row.shape, row.matching, row.tags) == (
        "use1-az4",
        "p5.48xlarge",
        "targeted",
        {"team": "serving"},
    )
    assert (row.start_at, row.end_at, row.usable_until) == (STARTED, None, None)
    assert row.gpus_per_instance == Decimal(8)
    assert row.usage_by_account == {PROD: 2, LAB: 1}
    assert json.loads(json.dumps(row.raw))["StartDate"] == "2026-05-01T00:00:00+00:00"


def test_every_member_may_be_absent() -> None:
    with aws({"CapacityReservationId": "cr-0bare"}) as (url, _):
        sweep = fetch(question(url))
    (row,) = sweep.listed
    assert row.arn == f"arn:aws:ec2:us-east-1:{PROD}:capacity-reservation/cr-0bare"
    assert (row.state, row.total_count, row.available_count, row.start_at) == (State.UNKNOWN, None, None, None)
    assert sweep.complete


@pytest.mark.parametrize("raw", [*EC2_STATES, "some-new-state"])
def test_free_slots_count_only_while_active_and_unknown_states_are_kept(raw: str) -> None:
    row = only(State=raw)
    assert (row.state_raw, row.state) == (raw, EC2_STATES.get(raw, State.UNKNOWN))
    assert row.available_count == (1 if raw == "active" else None)
    assert (row.planned_count is None) == (raw == "active")


def test_the_size_of_a_block_that_has_not_started_is_planned_wherever_it_stands() -> None:
    tag = [{"Key": "aws:ec2capacityreservation:incrementalRequestedQuantity", "Value": "16"}]
    ahead = {"State": "scheduled", "TotalInstanceCount": 0, "AvailableInstanceCount": 0}
    assert only(Tags=tag, **ahead).planned_count == 16
    assert only(**{**ahead, "TotalInstanceCount": 12}).planned_count == 12
    assert only(CommitmentInfo={"CommittedInstanceCount": 5}, **ahead).planned_count == 5
    future = [{"AllocationType": "future", "Count": 3}, {"AllocationType": "used", "Count": 9}]
    assert only(CapacityAllocations=future, **ahead).planned_count == 3
    assert only(Tags=[{**tag[0], "Value": "many"}], **ahead).planned_count == 0
    assert only(State="scheduled", TotalInstanceCount=None).planned_count is None


def test_kinds_are_told_apart() -> None:
    assert only(ReservationType="default").kind is Kind.ON_DEMAND
    assert only(ReservationType="capacity-block").kind is Kind.BLOCK
    assert only(CommitmentInfo={"CommittedInstanceCount": 4}).kind is Kind.FUTURE
    assert only(State="assessing").kind is Kind.FUTURE
    source = {"SourceCapacityReservationId": "cr-0src", "InterruptionType": "adhoc"}
    pair = only(Interruptible=True, InterruptionInfo=source)
    assert (pair.kind, pair.parent_id) == (Kind.INTERRUPTIBLE, "cr-0src")


def test_an_interruptible_pair_is_two_reservations_with_their_own_counts() -> None:
    allocation = {"InstanceCount": 2, "InterruptibleCapacityReservationId": "cr-0int", "Status": "active"}
    info = {"SourceCapacityReservationId": "cr-0aaa", "InterruptionType": "adhoc"}
    pair = (
        reservation(InterruptibleCapacityAllocation=allocation),
        reservation(
            "cr-0int", Interruptible=True, InterruptionInfo=info, TotalInstanceCount=2, ZeroSizePreference="retain"
        ),
    )
    with aws(*pair) as (url, _):
        rows = fetch(question(url)).listed
    assert [(row.total_count, row.kind, row.parent_id) for row in rows] == [
        (4, Kind.ON_DEMAND, ""),
        (2, Kind.INTERRUPTIBLE, "cr-0aaa"),
    ]


def test_instances_of_a_block_go_half_an_hour_before_its_end_and_of_an_ultraserver_an_hour() -> None:
    ultra = [{"CapacityBlockId": "cb-0ultra", "UltraserverType": "u-p6e-gb200x72"}, {"CapacityBlockId": "cb-0aaa"}]
    seen = (block(), block("cr-0u", "cb-0ultra"), block("cr-0t", InstanceType="trn2u.48xlarge"))
    with aws(*seen, reservation(EndDate=NOON), blocks=ultra) as (url, _):
        rows = {row.external_id: row for row in fetch(question(url)).listed}
    end = datetime(2026, 5, 8, 11, 30, tzinfo=UTC)
    assert rows["cr-0blk"].usable_until == end - timedelta(minutes=30)
    assert rows["cr-0u"].usable_until == rows["cr-0t"].usable_until == end - timedelta(minutes=60)
    assert (rows["cr-0blk"].ends_terminate_instances, rows["cr-0blk"].parent_id) == (True, "cb-0aaa")
    assert (rows["cr-0aaa"].usable_until, rows["cr-0aaa"].ends_terminate_instances) == (NOON, False)


@pytest.mark.parametrize(("status", "code"), [(403, "UnauthorizedOperation"), (503, "RequestLimitExceeded")])
def test_what_a_shape_says_of_a_block_needs_no_other_call_and_the_rest_is_not_guessed(status: int, code: str) -> None:
    def refused(call: Any) -> Fault | None:
        return Fault(status=status, code=code) if call.action == "DescribeCapacityBlocks" else None

    seen = (block(), block("cr-0t", InstanceType="trn2u.48xlarge"), reservation(EndDate=NOON))
    with aws(*seen, fault=refused) as (url, _):
        rows = {row.external_id: row.usable_until for row in fetch(question(url)).listed}
    assert rows == {"cr-0blk": None, "cr-0t": datetime(2026, 5, 8, 10, 30, tzinfo=UTC), "cr-0aaa": NOON}


def test_fees_of_extensions_are_kept_as_told_and_a_blocks_own_fee_stays_unknown() -> None:
    paid = {
        "CapacityReservationId": "cr-0blk",
        "UpfrontFee": "15000.00",
        "CurrencyCode": "USD",
        "CapacityBlockExtensionStatus": "payment-succeeded",
    }
    with aws(block(), extensions=[paid]) as (url, _):
        (row,) = fetch(question(url)).listed
    assert row.raw["CapacityBlockExtensions"] == [paid]
    assert row.upfront_fee is None


@pytest.mark.parametrize(
    ("shape", "gpus"),
    [
        ("g6f.large", Decimal("0.125")),
        ("trn2.48xlarge", Decimal(16)),
        ("p6e-gb200.36xlarge", Decimal(4)),
        ("c7i.large", Decimal(0)),
        ("p99.invented", None),
    ],
)
def test_gpus_per_instance_are_decimal_parts_and_neuron_devices_included(shape: str, gpus: Decimal | None) -> None:
    assert only(InstanceType=shape).gpus_per_instance == gpus


def test_a_time_without_a_zone_is_utc_and_every_time_comes_out_in_utc() -> None:
    row = only(StartDate=STARTED.replace(tzinfo=None), EndDate=NOON)
    assert row.start_at == STARTED
    assert (row.start_at.tzinfo, row.end_at.tzinfo) == (UTC, UTC)


def test_all_pages_are_read_an_empty_one_with_a_token_included() -> None:
    many = [reservation(f"cr-{i:04}") for i in range(1203)]
    with aws(*many, page_sizes=(0, 2, 0)) as (url, endpoint):
        sweep = fetch(question(url, account_id=LAB))
    assert len({row.arn for row in sweep.listed}) == 1203
    lists = [call for call in endpoint.calls if call.action == "DescribeCapacityReservations"]
    assert len(lists) == 5
    assert all("CapacityReservationId.1" not in call.given for call in lists)


def test_a_failure_on_the_second_page_is_no_sweep() -> None:
    def second_page(call: Any) -> Fault | None:
        return Fault(status=403, code="UnauthorizedOperation") if "NextToken" in call.given else None

    with aws(reservation(), reservation("cr-0bbb"), page_sizes=(1,), fault=second_page) as (url, _):
        sweep = fetch(question(url))
    assert (sweep.complete, sweep.listed, sweep.error_code) == (False, (), "UnauthorizedOperation")


def test_a_role_is_assumed_with_its_external_id_and_seen_through() -> None:
    role = f"arn:aws:iam::{LAB}:role/reader"
    mine = {"account": "lab", "account_id": LAB, "role_arn": role}
    with aws(reservation(), external_ids={role: "s3cret"}) as (url, endpoint):
        right = fetch(question(url, external_id="s3cret", **mine))
        wrong = fetch(question(url, external_id="guess", **mine))
    assert right.complete
    assert {call.account_id for call in endpoint.calls if call.service == "ec2"} == {LAB}
    assert {call.region for call in endpoint.calls} == {"us-east-1"}
    assert (wrong.complete, wrong.error_code) == (False, "AccessDenied")
    assert wrong.error.startswith(f"lab in us-east-1: {role} may not be assumed")
    assert "external_id" in wrong.error
    assert "s3cret" not in wrong.error + wrong.error_code


def test_roles_are_assumed_where_ec2_is_asked_unless_the_environment_names_an_sts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    role = f"arn:aws:iam::{LAB}:role/reader"
    mine = {"account": "lab", "account_id": LAB, "role_arn": role, "external_id": "s3cret"}
    known = {"external_ids": {role: "s3cret"}}
    with aws(reservation(), **known) as (url, ec2), aws(**known) as (sts_url, sts):
        for env, asked_there in (("", []), (sts_url, ["AssumeRole"])):
            monkeypatch.setenv("AWS_ENDPOINT_URL_STS", env)
            ec2.calls.clear()
            assert fetch(question(url, **mine)).complete
            assert [call.action for call in sts.calls] == asked_there
            assert ("AssumeRole" in {call.action for call in ec2.calls}) == (not asked_there)
    gone = fetch(question(url, **mine))
    assert f"{sts_url} cannot be reached" in gone.error


@pytest.mark.parametrize(
    ("action", "unknown"),
    [
        ("DescribeInstanceTypes", {"gpus_per_instance": None}),
        ("GetCapacityReservationUsage", {"usage_by_account": None}),
        ("DescribeCapacityBlocks", {"usable_until": None}),
        ("DescribeCapacityBlockExtensionHistory", {}),
    ],
)
def test_a_call_beside_the_list_that_fails_leaves_its_fields_unknown_and_is_named(action: str, unknown: dict) -> None:
    def denied(call: Any) -> Fault | None:
        return Fault(status=403, code="UnauthorizedOperation") if call.action == action else None

    seen = (reservation(), block())
    with aws(*seen) as (url, _):
        whole = fetch(question(url))
    with aws(*seen, fault=denied) as (url, endpoint):
        sweep = fetch(question(url))
    assert sweep.complete
    assert list(sweep.degraded) == [f"ec2:{action}"]
    assert f"ec2:{action} is not allowed" in sweep.degraded[f"ec2:{action}"]
    assert sweep.listed == tuple(replace(row, **unknown) for row in whole.listed)
    assert sum(call.action == action for call in endpoint.calls) == 1


def test_use_per_account_is_asked_of_the_owner_only() -> None:
    with aws(reservation(owner=LAB), reservation("cr-0off", State="expired")) as (url, endpoint):
        rows = fetch(question(url)).listed
    assert [row.usage_by_account for row in rows] == [None, None]
    assert "GetCapacityReservationUsage" not in {call.action for call in endpoint.calls}


def test_one_that_ended_while_it_was_read_costs_the_others_nothing() -> None:
    def ended(call: Any) -> Fault | None:
        gone = call.given.get("CapacityReservationId") == "cr-0aaa"
        return Fault(status=400, code="InvalidCapacityReservationId.NotFound") if gone else None

    with aws(reservation(), reservation("cr-0bbb"), used={"cr-0bbb": {PROD: 3}}, fault=ended) as (url, _):
        sweep = fetch(question(url))
    assert (sweep.complete, sweep.degraded) == (True, {})
    assert [row.usage_by_account for row in sweep.listed] == [None, {PROD: 3}]


def test_a_count_below_zero_is_unknown() -> None:
    assert only(TotalInstanceCount=-1, AvailableInstanceCount=-1).total_count is None


def test_many_sweeps_read_the_services_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from telemetry.sources.ec2 import clients

    read: list[str] = []
    files = clients.LOADER.file_loader
    with aws(reservation()) as (url, _):
        fetch(question(url))
        paths = list(clients.LOADER.search_paths)
        load = files.load_file
        monkeypatch.setattr(files, "load_file", lambda path: read.append(path) or load(path))
        assert fetch(question(url)).complete
    assert read == []
    assert clients.LOADER.search_paths == paths
