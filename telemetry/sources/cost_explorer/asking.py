"""One account's commitments: four calls at most per account and page, and one more for each further savings plan."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from reservations.domain.commitment_money import CommitmentDay
from reservations.domain.commitment_report import CommitmentAnswer, Family, Measure, Report
from telemetry.domain.commitment_question import CommitmentQuestion
from telemetry.sources.cost_explorer import wire
from telemetry.sources.cost_explorer.failures import sentence, tries

ANTICIPATED = (ClientError, BotoCoreError, ResponseParserError, wire.UnableToReadAnswer)
MOST_PAGES = 100
EC2 = "Amazon Elastic Compute Cloud - Compute"


@dataclass(frozen=True, slots=True)
class _Call:
    """A call: its client method, the list it answers with, its paging token, and how an entry reads."""

    method: str
    listed: str
    token: str
    read: Callable[[wire.Wire], CommitmentDay]
    family: Family
    measure: Measure

    @property
    def action(self) -> str:
        """Its name in a policy."""
        return f"ce:{''.join(part.title() for part in self.method.split('_'))}"


PLAN_USE = _Call(
    "get_savings_plans_utilization",
    "SavingsPlansUtilizationsByTime",
    "",
    wire.plan_use,
    Family.SAVINGS_PLANS,
    Measure.UTILISATION,
)
PLAN_COVERAGE = _Call(
    "get_savings_plans_coverage",
    "SavingsPlansCoverages",
    "NextToken",
    wire.plan_coverage,
    Family.SAVINGS_PLANS,
    Measure.COVERAGE,
)
INSTANCE_USE = _Call(
    "get_reservation_utilization",
    "UtilizationsByTime",
    "NextPageToken",
    wire.instance_use,
    Family.RESERVED_INSTANCES,
    Measure.UTILISATION,
)
INSTANCE_COVERAGE = _Call(
    "get_reservation_coverage",
    "CoveragesByTime",
    "NextPageToken",
    wire.instance_coverage,
    Family.RESERVED_INSTANCES,
    Measure.COVERAGE,
)


def fetch(question: CommitmentQuestion, *, client: Any) -> CommitmentAnswer:
    """What Cost Explorer knows of an account's commitments, in days; a call that fails leaves its figures unknown.

    ``client`` is a boto3 client of ``ce`` in us-east-1. Only what a commitment is recorded for is asked. Raises nothing
    that is anticipated.
    """
    reports: list[Report] = []
    failures: dict[str, str] = {}
    requests = 0
    for call, plan in _calls(question):
        if call.action in failures:
            continue  # what was refused once is refused again, and costs again
        days: list[CommitmentDay] = []
        try:
            for page, sent in _pages(client, call, question, plan):
                requests += sent
                days += [call.read(entry) for entry in page]
        except ANTICIPATED as error:
            requests += tries(error)
            failures[call.action] = sentence(error, action=call.action, account=question.account)
        else:
            reports.append(Report(call.family, call.measure, tuple(days), plan))
    return CommitmentAnswer(
        question.account, question.start, question.end, question.asked_at, tuple(reports), failures, requests
    )


def _calls(question: CommitmentQuestion) -> Iterator[tuple[_Call, str]]:
    yield from ((PLAN_USE, plan) for plan in question.plans)
    if question.plans:
        yield PLAN_COVERAGE, ""
    if question.reserved_instances:
        yield INSTANCE_USE, ""
        yield INSTANCE_COVERAGE, ""


def _pages(client: Any, call: _Call, question: CommitmentQuestion, plan: str) -> Iterator[tuple[list[wire.Wire], int]]:
    """Each page's entries, and how many requests it took; a token that comes again is no page of theirs."""
    token: dict[str, str] = {}
    seen: set[str] = set()
    while len(seen) < MOST_PAGES:
        answer = getattr(client, call.method)(
            TimePeriod={"Start": question.start.isoformat(), "End": question.end.isoformat()},
            Granularity="DAILY",
            Filter=_filter(call, question, plan),
            **token,
        )
        yield answer.get(call.listed, []), 1 + int(answer.get("ResponseMetadata", {}).get("RetryAttempts", 0))
        if call.listed not in answer:
            raise wire.UnableToReadAnswer(f"there is no {call.listed}")
        following = answer.get(call.token) if call.token else None
        if not following:
            return
        if following in seen:
            raise wire.UnableToReadAnswer("a page led back to one before it")
        seen.add(following)
        token = {call.token: following}
    raise wire.UnableToReadAnswer(f"more than {MOST_PAGES} pages")


def _filter(call: _Call, question: CommitmentQuestion, plan: str) -> dict[str, object]:
    account: dict[str, object] = {"Dimensions": {"Key": "LINKED_ACCOUNT", "Values": [question.account_id]}}
    if call.family is Family.RESERVED_INSTANCES:  # other services have reservations of their own
        return {"And": [account, {"Dimensions": {"Key": "SERVICE", "Values": [EC2]}}]}
    if not plan:
        return account
    arn = plan if plan.startswith("arn:") else f"arn:aws:savingsplans::{question.account_id}:savingsplan/{plan}"
    return {"Dimensions": {"Key": "SAVINGS_PLAN_ARN", "Values": [arn]}}
