"""A regional EC2 client for one account, under its role where it has one."""

from typing import Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.loaders import Loader

from telemetry.domain.sweep import RegionQuestion

TRIES = 5
READ_TIMEOUT_SECONDS = 30

CONFIG = Config(
    retries={"mode": "adaptive", "total_max_attempts": TRIES}, connect_timeout=5, read_timeout=READ_TIMEOUT_SECONDS
)


class _SharedLoader(Loader):  # type: ignore[misc]
    """One for all sessions: each of boto3's adds a path of its own, which here goes nowhere."""

    @property
    def search_paths(self) -> list[str]:
        return list(self._search_paths)


#: EC2's model is large: read once, whatever the number of accounts and regions.
LOADER = _SharedLoader()


def ec2_client(question: RegionQuestion, session: Any = None) -> Any:
    """An EC2 client for a question's region, after assuming its role; raises what botocore raises."""
    session = session or _session()
    reach = {"region_name": question.region, "endpoint_url": question.endpoint_url or None, "config": CONFIG}
    if question.role_arn:
        named = {"ExternalId": question.external_id} if question.external_id else {}
        sts = session.client("sts", **reach)
        answer = sts.assume_role(RoleArn=question.role_arn, RoleSessionName="moorage", **named)
        keys = answer["Credentials"]
        session = _session(
            aws_access_key_id=keys["AccessKeyId"],
            aws_secret_access_key=keys["SecretAccessKey"],
            aws_session_token=keys["SessionToken"],
        )
    return session.client("ec2", **reach)


def _session(**keys: str) -> Any:
    core = botocore.session.Session()
    core.register_component("data_loader", LOADER)
    # Tokens of the global endpoint are refused in regions that must be enabled first.
    core.set_config_variable("sts_regional_endpoints", "regional")
    return boto3.Session(botocore_session=core, **keys)
