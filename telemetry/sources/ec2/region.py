"""One account's region: the whole list of its reservations, or one sentence on why it could not be read."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from reservations.domain.listing import Listed, Sweep
from reservations.domain.reservation_state import Kind, State
from telemetry.domain.sweep import RegionQuestion
from telemetry.sources.ec2 import details, instances
from telemetry.sources.ec2.clients import UnableToMakeClient, ec2_client
from telemetry.sources.ec2.failures import UnableToReadAnswer, failure
from telemetry.sources.ec2.wire import Wire, listed, unfitting, usable_until

PAGE = 1000
LIST = "ec2:DescribeCapacityReservations"
BLOCKS = "ec2:DescribeCapacityBlocks"
INSTANCES = "ec2:DescribeInstances"
NAMELESS = "UnusableReservationId"
NAMED = 5

#: What reading may end in without being a bug.
ANTICIPATED = (ClientError, BotoCoreError, ResponseParserError, UnableToMakeClient, UnableToReadAnswer)


def fetch(question: RegionQuestion, *, session: Any = None) -> Sweep:
    """The reservations one account sees in one region at ``as_of`` (EC2 may leave out any member of any entry).

    Only all pages together are a sweep: a failure of any, or an entry that can't be told by its id, gives ``complete``
    False and nothing listed. Fields that don't fit and calls beside the list that fail leave None or blank and stand
    in ``degraded``. ``session`` is a boto3 session of the
    caller's, one per thread; by default the environment's credentials. Raises nothing that is anticipated.
    """
    sweep = Sweep(question.account, question.account_id, question.region, question.as_of, complete=False)
    action = "sts:AssumeRole" if question.role_arn else LIST
    try:
        client = ec2_client(question, session)
        action = LIST
        entries = _whole_list(client)
    except ANTICIPATED as error:
        failed = failure(error, action=action, question=question)
        return replace(sweep, error_code=failed.code, error=failed.sentence)
    partition = client.meta.partition
    rows = [row for entry in entries if (row := listed(entry, question=question, partition=partition))]
    if len(rows) < len(entries):
        return replace(sweep, error_code=NAMELESS, error=_nameless(len(entries) - len(rows), len(entries), question))
    degraded = _unfitting(entries, rows, question)
    detailed = _with_details(rows, client, question, degraded)
    sweep = replace(sweep, complete=True, listed=tuple(detailed), degraded=degraded)
    return _with_instances(sweep, client, question, degraded)


def _with_instances(sweep: Sweep, client: Any, question: RegionQuestion, degraded: dict[str, str]) -> Sweep:
    """Add what runs of the shapes that are held; only all pages together say what does not run."""
    shapes = tuple(sorted(question.shapes | {row.shape for row in sweep.listed if row.shape}))
    if not shapes:
        return sweep
    zones = {row.zone_name: row.zone_id for row in sweep.listed if row.zone_name and row.zone_id}
    try:
        running = instances.running_instances(client, shapes, zones)
    except ANTICIPATED as error:
        said = failure(error, action=INSTANCES, question=question).sentence
        degraded[INSTANCES] = f"instances outside reservations unknown: {said}"
        return sweep
    return replace(sweep, instances=tuple(running), instance_shapes=shapes)


def _whole_list(client: Any) -> list[Wire]:
    """Every entry of every page; an empty page may carry a token; one without the list itself is no page."""
    entries: list[Wire] = []
    pages = client.get_paginator("describe_capacity_reservations").paginate(PaginationConfig={"PageSize": PAGE})
    for page in pages:
        if "CapacityReservations" not in page:
            raise UnableToReadAnswer
        entries += page["CapacityReservations"]
    return entries


def _nameless(count: int, total: int, question: RegionQuestion) -> str:
    return (
        f"{question.account} in {question.region}: {count} of {total} entries of the list came without an id or with "
        "an id or ARN too long to keep, so it cannot tell what is gone: check endpoint_url and what stands in between"
    )


def _unfitting(entries: Sequence[Wire], rows: Sequence[Listed], question: RegionQuestion) -> dict[str, str]:
    """One sentence on the fields that were too long or too large to keep, a few of them by name."""
    pairs = zip(rows, entries, strict=True)
    odd = [f"{name} of {row.external_id}" for row, entry in pairs for name in unfitting(entry)]
    if not odd:
        return {}
    more = f" and {len(odd) - NAMED} more" if len(odd) > NAMED else ""
    named = f"{', '.join(odd[:NAMED])}{more}"
    return {LIST: f"{question.account} in {question.region}: too long or too large to keep, so unknown: {named}"}


def _with_details(
    rows: Sequence[Listed], client: Any, question: RegionQuestion, degraded: dict[str, str]
) -> list[Listed]:
    """Add what the calls beside the list know; one that fails says so in ``degraded``."""

    def ask(action: str, missing: str, call: Any, *given: Any) -> Any:
        try:
            return call(client, *given)
        except ANTICIPATED as error:
            degraded[action] = f"{missing} unknown: {failure(error, action=action, question=question).sentence}"
            return {}

    blocks = [row.external_id for row in rows if row.kind is Kind.BLOCK]
    own = [r.external_id for r in rows if r.owner_account == question.account_id and r.state is State.ACTIVE]
    shapes = sorted({row.shape for row in rows if row.shape})
    gpus = details.KNOWN_GPUS | (
        ask("ec2:DescribeInstanceTypes", "GPUs per instance", details.gpus_per_instance, shapes) if shapes else {}
    )
    ultra = ask(BLOCKS, "UltraServer blocks", details.ultraserver_types) if blocks else {}
    action = "ec2:DescribeCapacityBlockExtensionHistory"
    extensions = ask(action, "fees of extensions", details.extensions) if blocks else {}
    usage: dict[str, dict[str, int]] = {}
    ask("ec2:GetCapacityReservationUsage", "use per account", details.read_usage, own, usage)
    return [
        replace(
            row,
            gpus_per_instance=gpus.get(row.shape),
            usable_until=usable_until(row, ultraserver=None if BLOCKS in degraded else row.parent_id in ultra),
            usage_by_account=usage.get(row.external_id),
            raw={**row.raw, **({"CapacityBlockExtensions": paid} if (paid := extensions.get(row.external_id)) else {})},
        )
        for row in rows
    ]
