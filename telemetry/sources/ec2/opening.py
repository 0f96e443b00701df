"""Clients of other AWS services under an account's role, for the sources that read them."""

from typing import Any

from telemetry.domain.sweep import RegionQuestion
from telemetry.sources.ec2.clients import cost_explorer_client
from telemetry.sources.ec2.failures import failure
from telemetry.sources.ec2.region import ANTICIPATED


class UnableToOpen(Exception):
    """The role can't be assumed, or there is no way to ask; the message is one sentence."""


def open_cost_explorer(question: RegionQuestion) -> Any:
    """A Cost Explorer client; UnableToOpen for every anticipated reason."""
    try:
        return cost_explorer_client(question)
    except ANTICIPATED as error:
        raise UnableToOpen(failure(error, action="sts:AssumeRole", question=question).sentence) from error
