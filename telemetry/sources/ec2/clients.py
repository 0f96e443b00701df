"""A regional EC2 client for one account, under its role where it has one."""

import os
from dataclasses import replace
from typing import Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.loaders import Loader
from botocore.parsers import ResponseParserError, ResponseParserFactory

from telemetry.domain.sweep import RegionQuestion

TRIES = 5
READ_TIMEOUT_SECONDS = 30
COST_EXPLORER_REGION = "us-east-1"

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


class UnableToMakeClient(Exception):
    """The address to ask is none."""


class _ParserFactory(ResponseParserFactory):  # type: ignore[misc]
    """What does not fit a shape is a fault of the answer; botocore lets what it stumbles over out bare."""

    def create_parser(self, protocol_name: str) -> Any:
        parser = super().create_parser(protocol_name)
        parse = parser.parse

        def read(response: Any, shape: Any) -> Any:
            try:
                return parse(response, shape)
            except (AttributeError, TypeError, ValueError) as error:
                raise ResponseParserError(str(error)) from error

        parser.parse = read
        return parser


def ec2_client(question: RegionQuestion, session: Any = None) -> Any:
    """An EC2 client for a question's region, after assuming its role.

    Raises UnableToMakeClient for an address that is none, else what botocore raises.
    """
    return _client(_under_its_role(session or _session(), question), "ec2", question, question.endpoint_url)


def cost_explorer_client(question: RegionQuestion) -> Any:
    """A Cost Explorer client under the same role, at the one region that answers for all.

    An account's ``endpoint_url`` is EC2's and STS's alone; AWS_ENDPOINT_URL_COST_EXPLORER moves this one. Raises as
    ``ec2_client`` does.
    """
    session = _under_its_role(_session(), question)
    return _client(session, "ce", replace(question, region=COST_EXPLORER_REGION), "")


def _under_its_role(session: Any, question: RegionQuestion) -> Any:
    if question.role_arn:
        named = {"ExternalId": question.external_id} if question.external_id else {}
        sts = _client(session, "sts", question, sts_endpoint(question))
        answer = sts.assume_role(RoleArn=question.role_arn, RoleSessionName="moorage", **named)
        keys = answer["Credentials"]
        session = _session(
            aws_access_key_id=keys["AccessKeyId"],
            aws_secret_access_key=keys["SecretAccessKey"],
            aws_session_token=keys["SessionToken"],
        )
    return session


def sts_endpoint(question: RegionQuestion) -> str:
    """Where roles are assumed: AWS_ENDPOINT_URL_STS where it is set, else where EC2 is asked; blank: AWS's own."""
    return os.environ.get("AWS_ENDPOINT_URL_STS") or question.endpoint_url


def _client(session: Any, service: str, question: RegionQuestion, endpoint_url: str) -> Any:
    try:
        return session.client(service, region_name=question.region, endpoint_url=endpoint_url or None, config=CONFIG)
    except ValueError as error:
        raise UnableToMakeClient(f"“{endpoint_url}” is not an address") from error


def _session(**keys: str) -> Any:
    core = botocore.session.Session()
    core.register_component("data_loader", LOADER)
    core.register_component("response_parser_factory", _ParserFactory())
    # Tokens of the global endpoint are refused in regions that must be enabled first.
    core.set_config_variable("sts_regional_endpoints", "regional")
    return boto3.Session(botocore_session=core, **keys)
