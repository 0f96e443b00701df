"""The endpoint answers the real client the way EC2 does, so that what passes here means something."""

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from telemetry.sources.synthetic.endpoint import RegionWorld
from tests.telemetry.sources.ec2_world import LAB, NOON, PROD, STARTED, aws, block, reservation

ONCE = Config(retries={"total_max_attempts": 1})


def client(service: str, url: str, account: str = PROD):
    return boto3.client(
        service, "eu-central-1", endpoint_url=url, config=ONCE,
        aws_access_key_id=f"AKIA{account}", aws_secret_access_key="synthetic",
    )  # fmt: skip


def code(call, **given: object) -> tuple[str, int]:
    with pytest.raises(ClientError) as refused:
        call(**given)
    return refused.value.response["Error"]["Code"], refused.value.response["ResponseMetadata"]["HTTPStatusCode"]


def test_what_goes_in_in_botocores_shape_comes_out_in_it() -> None:
    sent = block(CommitmentInfo={"CommittedInstanceCount": 4, "CommitmentEndDate": NOON}, Interruptible=False)
    with aws(sent) as (url, _):
        (found,) = client("ec2", url).describe_capacity_reservations()["CapacityReservations"]
    assert found == sent


def test_filters_ids_and_their_errors_are_ec2s() -> None:
    seen = (reservation(), reservation("cr-0bbb", State="expired", Tags=[{"Key": "team", "Value": "lab"}]))
    with aws(*seen) as (url, _):
        ec2 = client("ec2", url)

        def found(*filters: tuple[str, str], **given: object) -> list[str]:
            asked = [{"Name": name, "Values": [value]} for name, value in filters]
            rows = ec2.describe_capacity_reservations(Filters=asked, **given)["CapacityReservations"]
            return [row["CapacityReservationId"] for row in rows]

        assert found(("state", "expired")) == found(("tag:team", "lab")) == ["cr-0bbb"]
        assert found(("instance-type", "p5.48xlarge"), ("state", "active")) == ["cr-0aaa"]
        assert found(CapacityReservationIds=["cr-0bbb"]) == ["cr-0bbb"]
        listing = ec2.describe_capacity_reservations
        assert code(listing, CapacityReservationIds=["cr-0no"]) == ("InvalidCapacityReservationId.NotFound", 400)
        both = {"CapacityReservationIds": ["cr-0aaa"], "MaxResults": 5}
        assert code(listing, **both) == ("InvalidParameterCombination", 400)
        assert code(ec2.describe_instance_types, InstanceTypes=["p99"]) == ("InvalidInstanceType", 400)
        assert code(ec2.cancel_capacity_reservation, CapacityReservationId="cr-0aaa") == ("InvalidAction", 400)


def test_the_region_and_the_account_are_read_from_the_signature() -> None:
    def world(region: str, account_id: str) -> RegionWorld:
        return RegionWorld([reservation(f"cr-{region}-{account_id}")])

    with aws(world=world) as (url, _):
        (row,) = client("ec2", url, LAB).describe_capacity_reservations()["CapacityReservations"]
        assert client("sts", url, LAB).get_caller_identity()["Account"] == LAB
    assert row["CapacityReservationId"] == f"cr-eu-central-1-{LAB}"


def test_a_role_is_only_given_for_its_external_id() -> None:
    role = f"arn:aws:iam::{LAB}:role/reader"
    with aws(external_ids={role: "s3cret"}) as (url, _):
        sts = client("sts", url)
        given = sts.assume_role(RoleArn=role, RoleSessionName="x1", ExternalId="s3cret")["Credentials"]
        assert given["AccessKeyId"].endswith(LAB)
        assert code(sts.assume_role, RoleArn=role, RoleSessionName="x1") == ("AccessDenied", 403)
        assert code(sts.assume_role, RoleArn=role, RoleSessionName="x1", ExternalId="no") == ("AccessDenied", 403)


def test_use_comes_in_pages_and_blocks_their_status_and_regions_are_listed() -> None:
    status = {"CapacityBlockId": "cb-0aaa", "InterconnectStatus": "ok", "TotalCapacity": 4}
    paid = {"CapacityReservationId": "cr-0blk", "UpfrontFee": "15000.00", "CapacityBlockExtensionPurchaseDate": STARTED}
    known = {"CapacityBlockId": "cb-0aaa", "State": "active"}
    used = {"cr-0aaa": {PROD: 2, LAB: 1}}
    with aws(reservation(), used=used, blocks=[known], block_statuses=[status], extensions=[paid]) as (url, _):
        ec2 = client("ec2", url)
        page = ec2.get_capacity_reservation_usage(CapacityReservationId="cr-0aaa")
        assert page["InstanceUsages"] == [{"AccountId": PROD, "UsedInstanceCount": 2}]
        rest = ec2.get_capacity_reservation_usage(CapacityReservationId="cr-0aaa", NextToken=page["NextToken"])
        assert rest["InstanceUsages"] == [{"AccountId": LAB, "UsedInstanceCount": 1}]
        assert ec2.describe_capacity_blocks()["CapacityBlocks"] == [known]
        assert ec2.describe_capacity_block_status()["CapacityBlockStatuses"] == [status]
        assert ec2.describe_capacity_block_extension_history()["CapacityBlockExtensions"] == [paid]
        assert "us-east-1" in {row["RegionName"] for row in ec2.describe_regions()["Regions"]}
