"""Every account that allows it is asked about its commitments; each request may cost money, so nothing else asks."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from reservations.domain.commitment_report import CommitmentAnswer
from reservations.selectors.commitments import AccountCommitments, commitments_to_ask
from reservations.services.commitment_reports import record_answer
from telemetry.domain.commitment_question import CommitmentQuestion
from telemetry.domain.sweep import RegionQuestion
from telemetry.sources import cost_explorer, ec2

MOST_DAYS = 390
"""Cost Explorer keeps some thirteen months."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of one account: days stored, requests sent, and one sentence for each call that failed."""

    account: str
    days: int
    requests: int
    failures: dict[str, str]


def fetch_commitments(*, as_of: datetime, days: int) -> list[Fetched]:
    """Ask about the whole UTC days before an instant's and store what was told; accounts that don't allow it are left.

    One account failing hides no other.
    """
    end = as_of.astimezone(UTC).date()
    start = end - timedelta(days=days)
    answers = [_asked(account, start, end, as_of) for account in commitments_to_ask(start=start, end=end)]
    return [Fetched(one.account, record_answer(answer=one), one.requests, dict(one.failures)) for one in answers]


def _asked(account: AccountCommitments, start: date, end: date, as_of: datetime) -> CommitmentAnswer:
    who = account.account
    region = RegionQuestion(
        account=who.name,
        account_id=who.account_id,
        region="us-east-1",
        as_of=as_of,
        role_arn=who.role_arn,
        external_id=who.external_id,
        endpoint_url=who.endpoint_url,
    )
    try:
        client = ec2.open_cost_explorer(region)
    except ec2.UnableToOpen as unable:
        return CommitmentAnswer(who.name, start, end, as_of, failures={"sts:AssumeRole": str(unable)})
    question = CommitmentQuestion(
        who.name, who.account_id, start, end, as_of, account.savings_plans, account.reserved_instances
    )
    return cost_explorer.fetch(question, client=client)
