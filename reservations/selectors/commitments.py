"""Commitments as recorded, and what was reported of them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.domain.commitment import RESERVED_INSTANCES, AppliesTo, Commitment, CommitmentKind, Payment
from reservations.domain.commitment_money import CommitmentDay
from reservations.domain.commitment_report import Family, Measure
from reservations.models import Commitment as Recorded
from reservations.models import CommitmentFetch, CommitmentReport
from reservations.selectors.accounts import AccountToAsk, accounts_to_ask


@dataclass(frozen=True, slots=True)
class AccountCommitments:
    """An account that allows Cost Explorer to be asked, and which commitments it has a reason to ask about."""

    account: AccountToAsk
    savings_plans: tuple[str, ...]
    reserved_instances: bool


@dataclass(frozen=True, slots=True)
class Fetch:
    """The last time an account's commitments were asked about, and what could not be told then."""

    at: datetime
    failures: dict[str, str]


@dataclass(frozen=True, slots=True)
class CommitmentRow:
    """A commitment, what was reported of it and of its account, and when that was asked last.

    ``own`` says whether ``use`` is of this commitment alone; else it is of all of the account's kind together.
    ``may_ask``: the account allows Cost Explorer to be asked.
    """

    commitment: Commitment
    use: tuple[CommitmentDay, ...]
    own: bool
    covering: tuple[CommitmentDay, ...]
    fetch: Fetch | None
    may_ask: bool


def commitments_to_ask(*, start: date, end: date) -> list[AccountCommitments]:
    """The accounts that allow it and have commitments running on some of these days, by name, in two queries."""
    kinds: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    running = Recorded.objects.filter(
        term__overlap=DateRange(start, end), account__cost_explorer=True, account__provider="aws"
    )
    for name, kind, provider_id in running.order_by("provider_id").values_list("account__name", "kind", "provider_id"):
        kinds[name].append((kind, provider_id))
    return [
        AccountCommitments(
            account,
            tuple(one for kind, one in kinds[account.name] if kind == CommitmentKind.SAVINGS_PLAN),
            any(kind in RESERVED_INSTANCES for kind, _ in kinds[account.name]),
        )
        for account in accounts_to_ask()
        if {kind for kind, _ in kinds[account.name]} - {CommitmentKind.COMMITTED_USE}
    ]


def commitment_rows(*, start: date, end: date) -> list[CommitmentRow]:
    """Every commitment with its reports of the UTC days ``[start, end)``, those that end first before others.

    Three queries.
    """
    reports = _reports(start, end)
    fetches: dict[int, Fetch] = {}
    last = CommitmentFetch.objects.order_by("account_id", "-fetched_at").distinct("account_id")
    for account_id, at, failures in last.values_list("account_id", "fetched_at", "failures"):
        fetches[account_id] = Fetch(at, failures)
    return [
        _row(recorded, reports, fetches.get(recorded.account_id))
        for recorded in Recorded.objects.select_related("account").order_by("term__endswith", "provider_id", "pk")
    ]


_Key = tuple[int, int | None, str, str]


def _reports(start: date, end: date) -> dict[_Key, tuple[CommitmentDay, ...]]:
    found: defaultdict[_Key, list[CommitmentDay]] = defaultdict(list)
    told: Iterable[CommitmentReport] = CommitmentReport.objects.filter(day__gte=start, day__lt=end).order_by("day")
    for one in told:
        found[one.account_id, one.commitment_id, one.family, one.measure].append(
            CommitmentDay(
                day=one.day,
                currency=one.currency,
                cost=one.cost,
                used=one.used,
                unused=one.unused,
                on_demand_equivalent=one.on_demand_equivalent,
                hours=one.hours,
                covered=one.covered,
                coverable=one.coverable,
                on_demand=one.on_demand,
            )
        )
    return {key: tuple(days) for key, days in found.items()}


def _row(recorded: Recorded, reports: dict[_Key, tuple[CommitmentDay, ...]], fetch: Fetch | None) -> CommitmentRow:
    commitment = _commitment(recorded)
    family = Family.RESERVED_INSTANCES if commitment.kind in RESERVED_INSTANCES else Family.SAVINGS_PLANS
    own = commitment.kind is CommitmentKind.SAVINGS_PLAN
    told = commitment.kind is not CommitmentKind.COMMITTED_USE
    account_id = recorded.account_id
    use = reports.get((account_id, recorded.pk if own else None, family.value, Measure.UTILISATION.value), ())
    covering = reports.get((account_id, None, family.value, Measure.COVERAGE.value), ())
    return CommitmentRow(
        commitment=commitment,
        use=tuple(day for day in use if commitment.covers(day.day)) if told else (),
        own=own,
        covering=tuple(day for day in covering if commitment.covers(day.day)) if told else (),
        fetch=fetch,
        may_ask=recorded.account.cost_explorer and told,
    )


def _commitment(recorded: Recorded) -> Commitment:
    return Commitment(
        kind=CommitmentKind(recorded.kind),
        provider_id=recorded.provider_id,
        account=recorded.account.name,
        hourly=recorded.hourly,
        currency=recorded.currency,
        start=recorded.term.lower,
        end=recorded.term.upper,
        applies_to=AppliesTo(recorded.applies_to),
        payment=Payment(recorded.payment),
        family=recorded.family,
        region=recorded.region,
        shape=recorded.shape,
        source=recorded.source,
        entered_by=recorded.entered_by,
    )
