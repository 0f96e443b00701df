"""Commitments fetched and stored: only where an account allows it, day by day, unknown where it was refused."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.domain.commitment_money import CommitmentDay
from reservations.models import Account, Commitment, CommitmentFetch, CommitmentReport
from reservations.selectors.commitments import commitment_rows
from telemetry.services.commitments import fetch_commitments
from tests.telemetry.sources.cost_explorer_world import cost_explorer, operation_of, ordinary
from tests.telemetry.sources.ec2_world import LAB, PROD
from tests.telemetry.sources.scripted_server import refusing_port

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)
START, END = date(2026, 5, 2), date(2026, 5, 3)


def account(name: str = "prod", account_id: str = PROD, *, allowed: bool = True) -> Account:
    return Account.objects.create(name=name, account_id=account_id, regions=["us-east-1"], cost_explorer=allowed)


def commitment(of: Account, provider_id: str = "sp-1", **said: Any) -> Commitment:
    values: dict[str, Any] = {
        "kind": "savings_plan", "hourly": Decimal(10), "currency": "USD", "applies_to": "any_compute",
        "payment": "no_upfront", "term": DateRange(date(2026, 1, 1), date(2027, 1, 1)),
    }  # fmt: skip
    return Commitment.objects.create(account=of, provider_id=provider_id, **values | said)


def test_an_account_that_does_not_allow_it_is_never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    commitment(account(allowed=False))
    account("lab", LAB)  # allows it, and has nothing to ask about
    with cost_explorer(monkeypatch, ordinary) as (_, server):
        assert fetch_commitments(as_of=NOON, days=1) == []
        with pytest.raises(CommandError, match="write “cost_explorer: true” to one"):
            call_command("fetch_commitments")
        assert server.asked == []


def test_a_commitment_that_has_ended_costs_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    commitment(account(), term=DateRange(date(2025, 1, 1), START))
    with cost_explorer(monkeypatch, ordinary) as (_, server):
        assert fetch_commitments(as_of=NOON, days=1) == []
        assert server.asked == []


def test_what_was_told_is_stored_once_and_read_back_as_days(monkeypatch: pytest.MonkeyPatch) -> None:
    prod = account()
    commitment(prod)
    commitment(prod, "ri-2", kind="regional_reserved_instance", applies_to="shape", shape="p5.48xlarge")
    with cost_explorer(monkeypatch, ordinary):
        for _ in range(2):
            (fetched,) = fetch_commitments(as_of=NOON, days=1)
            assert (fetched.days, fetched.requests, fetched.failures) == (4, 4, {})
    assert (CommitmentReport.objects.count(), CommitmentFetch.objects.count()) == (4, 1)
    bought, plan = commitment_rows(start=START, end=END)
    assert (plan.own, bought.own, plan.may_ask) == (True, False, True)
    assert plan.use == (CommitmentDay(START, "USD", Decimal(240), Decimal(180), Decimal(60), Decimal(300)),)
    assert [day.covered for day in plan.covering] == [300]
    assert [(day.hours, day.used) for day in bought.use] == [(18, 720)]
    assert plan.fetch is not None
    assert plan.fetch.at == NOON


def test_a_later_answer_mends_a_day_and_a_refusal_leaves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    commitment(account())

    def mended(operation: str, request: dict[str, Any]) -> dict[str, Any] | str:
        if operation == "GetSavingsPlansCoverage":
            return "DataUnavailableException"
        return json.loads(json.dumps(ordinary(operation, request)).replace('"180"', '"200"'))

    with cost_explorer(monkeypatch, ordinary):
        fetch_commitments(as_of=NOON, days=1)
    with cost_explorer(monkeypatch, mended):
        (fetched,) = fetch_commitments(as_of=NOON.replace(hour=13), days=1)
    assert "has no data for ce:GetSavingsPlansCoverage" in fetched.failures["ce:GetSavingsPlansCoverage"]
    (row,) = commitment_rows(start=START, end=END)
    assert [day.used for day in row.use] == [200]
    assert [day.covered for day in row.covering] == [300]
    assert row.fetch is not None
    assert list(row.fetch.failures) == ["ce:GetSavingsPlansCoverage"]


def test_a_refusal_stores_no_day_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    commitment(account())
    with cost_explorer(monkeypatch, lambda *_: "AccessDeniedException"):
        (fetched,) = fetch_commitments(as_of=NOON, days=1)
    assert fetched.days == 0
    (row,) = commitment_rows(start=START, end=END)
    assert (row.use, row.covering) == ((), ())


def test_a_role_that_cannot_be_assumed_is_told_and_costs_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    prod = account()
    prod.role_arn = f"arn:aws:iam::{PROD}:role/moorage"
    prod.save()
    commitment(prod)
    with cost_explorer(monkeypatch, ordinary) as (_, server):
        monkeypatch.setenv("AWS_ENDPOINT_URL_STS", f"http://127.0.0.1:{refusing_port()}")
        (fetched,) = fetch_commitments(as_of=NOON, days=1)
        assert server.asked == []
    assert "cannot be reached" in fetched.failures["sts:AssumeRole"]
    assert (fetched.days, fetched.requests) == (0, 0)


def test_one_account_failing_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    commitment(account())
    commitment(account("lab", LAB), "sp-9")

    def refusing(operation: str, request: dict[str, Any]) -> dict[str, Any] | str:
        return "AccessDeniedException" if PROD in json.dumps(request) else ordinary(operation, request)

    with cost_explorer(monkeypatch, refusing):
        lab, prod = fetch_commitments(as_of=NOON, days=1)
    assert (lab.account, lab.days, len(prod.failures)) == ("lab", 2, 2)


def test_the_command_tells_the_same_as_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    commitment(account())
    out = StringIO()
    with cost_explorer(monkeypatch, ordinary) as (_, server):
        call_command("fetch_commitments", days=2, format="json", stdout=out)
        assert {operation_of(one) for one in server.asked} == {"GetSavingsPlansUtilization", "GetSavingsPlansCoverage"}
    assert json.loads(out.getvalue()) == {"accounts": [{"account": "prod", "days": 2, "requests": 2, "failures": {}}]}
    with pytest.raises(CommandError, match="from 1 to 390"):
        call_command("fetch_commitments", days=0)


def test_a_refused_call_ends_the_command_in_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    commitment(account())
    with (
        cost_explorer(monkeypatch, lambda *_: "AccessDeniedException"),
        pytest.raises(CommandError, match="stays unknown: prod: ce:GetSavingsPlansUtilization is not allowed"),
    ):
        call_command("fetch_commitments", stdout=StringIO(), stderr=StringIO())
