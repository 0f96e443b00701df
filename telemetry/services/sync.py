"""Every account and region is asked what it holds, side by side; what was read is stored, whatever else failed."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime

from reservations.domain.assignment import AssignmentReport
from reservations.domain.listing import Sweep, SweepReport
from reservations.selectors.accounts import AccountToAsk, accounts_to_ask
from reservations.selectors.instance_history import shapes_to_list
from reservations.services.memberships import assign_reservations
from reservations.services.sweeps import record_sweeps
from telemetry.domain.sweep import RegionQuestion
from telemetry.sources import ec2

SIDE_BY_SIDE = 8


@dataclass(frozen=True, slots=True)
class RegionResult:
    """How one account's region answered; ``degraded`` maps an IAM action to one sentence."""

    account: str
    region: str
    complete: bool
    seen: int
    error_code: str
    error: str
    degraded: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one instant's sync read and changed."""

    as_of: datetime
    regions: tuple[RegionResult, ...]
    sweeps: SweepReport
    assignment: AssignmentReport

    @property
    def failed(self) -> list[RegionResult]:
        """The regions that could not be read."""
        return [region for region in self.regions if not region.complete]


def sync_reservations(*, as_of: datetime) -> SyncReport:
    """Read all accounts' regions and store the instant: safe to repeat, to run twice at once, and out of order.

    A region that fails is in the report with one sentence and hides no other. What is not anticipated is raised,
    after everything else is stored.
    """
    read, unforeseen = _read([*_questions(accounts_to_ask(), as_of)])
    changed = record_sweeps(sweeps=read)
    assignment = assign_reservations(as_of=as_of)
    if unforeseen:
        raise unforeseen[0]
    return SyncReport(as_of, tuple(_result(sweep) for sweep in read), changed, assignment)


def _questions(accounts: Sequence[AccountToAsk], as_of: datetime) -> list[RegionQuestion]:
    shapes = shapes_to_list()
    return [
        RegionQuestion(
            account=account.name,
            account_id=account.account_id,
            region=region,
            as_of=as_of,
            role_arn=account.role_arn,
            external_id=account.external_id,
            endpoint_url=account.endpoint_url,
            shapes=shapes,
        )
        for account in accounts
        if account.provider == "aws"
        for region in account.regions
    ]


def _read(questions: Sequence[RegionQuestion]) -> tuple[list[Sweep], list[BaseException]]:
    """Only the network runs in threads: the database stays with the caller's."""
    with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE, thread_name_prefix="ec2") as pool:
        asked: list[Future[Sweep]] = [pool.submit(ec2.fetch, question) for question in questions]
    unforeseen = [error for one in asked if (error := one.exception())]
    return [one.result() for one in asked if not one.exception()], unforeseen


def _result(sweep: Sweep) -> RegionResult:
    return RegionResult(
        account=sweep.account,
        region=sweep.region,
        complete=sweep.complete,
        seen=len(sweep.listed),
        error_code=sweep.error_code,
        error=sweep.error,
        degraded=sweep.degraded,
    )
