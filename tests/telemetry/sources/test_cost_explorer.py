"""Cost Explorer through the real client, over HTTP: what is asked, what is read, and what stays unknown."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from reservations.domain.commitment_money import CommitmentDay
from reservations.domain.commitment_report import Family, Measure
from telemetry.domain.commitment_question import CommitmentQuestion
from telemetry.sources.cost_explorer import fetch
from tests.telemetry.sources.cost_explorer_world import (
    cost_explorer,
    instance_day,
    operation_of,
    ordinary,
    plan_coverage,
)
from tests.telemetry.sources.ec2_world import PROD
from tests.telemetry.sources.scripted_server import Scripted

FIRST, LAST = date(2026, 5, 1), date(2026, 5, 3)
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def asked(plans: tuple[str, ...] = ("sp-1",), *, instances: bool = True) -> CommitmentQuestion:
    return CommitmentQuestion("prod", PROD, FIRST, LAST, NOON, plans, instances)


def test_each_measure_becomes_days_of_money(monkeypatch: pytest.MonkeyPatch) -> None:
    with cost_explorer(monkeypatch, ordinary) as (client, server):
        answer = fetch(asked(), client=client)
    assert (answer.failures, answer.requests, len(server.asked)) == ({}, 4, 4)
    found = {(one.family, one.measure): one for one in answer.reports}
    assert found[Family.SAVINGS_PLANS, Measure.UTILISATION].provider_id == "sp-1"
    days = {key: one.days for key, one in found.items()}
    assert days == {
        (Family.SAVINGS_PLANS, Measure.UTILISATION): (
            CommitmentDay(FIRST, "USD", Decimal(240), Decimal(180), Decimal(60), Decimal(300)),
        ),
        (Family.SAVINGS_PLANS, Measure.COVERAGE): (
            CommitmentDay(FIRST, "USD", covered=Decimal(300), coverable=Decimal(400), on_demand=Decimal(100)),
        ),
        (Family.RESERVED_INSTANCES, Measure.UTILISATION): (
            CommitmentDay(FIRST, "USD", Decimal(960), Decimal(720), Decimal(240), Decimal(1200), hours=Decimal(18)),
        ),
        (Family.RESERVED_INSTANCES, Measure.COVERAGE): (
            CommitmentDay(FIRST, "USD", covered=Decimal(18), coverable=Decimal(24), on_demand=Decimal(600)),
        ),
    }


def test_only_what_a_commitment_is_recorded_for_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with cost_explorer(monkeypatch, ordinary) as (client, server):
        fetch(asked(("sp-1", "arn:aws:savingsplans::1:savingsplan/sp-2"), instances=False), client=client)
        assert [operation_of(one) for one in server.asked] == [
            "GetSavingsPlansUtilization",
            "GetSavingsPlansUtilization",
            "GetSavingsPlansCoverage",
        ]
        assert f"arn:aws:savingsplans::{PROD}:savingsplan/sp-1" in server.asked[0].body
        assert "arn:aws:savingsplans::1:savingsplan/sp-2" in server.asked[1].body
        assert "/us-east-1/ce/" in server.asked[0].headers["Authorization"]
        before = len(server.asked)
        assert fetch(asked((), instances=False), client=client).requests == 0
        assert len(server.asked) == before


def test_pages_are_followed_by_the_token_each_call_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def paged(operation: str, request: dict[str, Any]) -> dict[str, Any]:
        name = {"GetSavingsPlansCoverage": "NextToken", "GetReservationUtilization": "NextPageToken"}.get(operation)
        if name is None:
            return ordinary(operation, request)
        second = request.get(name) == "two"
        day = "2026-05-02" if second else "2026-05-01"
        entries = (
            {"SavingsPlansCoverages": [plan_coverage(day, "1", "1", "2")]}
            if name == "NextToken"
            else {"UtilizationsByTime": [instance_day(day, "2", "1", "3", "4")]}
        )
        return entries if second else {**entries, name: "two"}

    with cost_explorer(monkeypatch, paged) as (client, _):
        answer = fetch(asked(), client=client)
    lengths = [[day.day.day for day in one.days] for one in answer.reports]
    assert (lengths, answer.requests) == ([[1], [1, 2], [1, 2], [1]], 6)


def test_a_token_that_comes_again_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def turning(operation: str, request: dict[str, Any]) -> dict[str, Any]:
        said = ordinary(operation, request)
        return {**said, "NextPageToken": "one"} if operation == "GetReservationCoverage" else said

    with cost_explorer(monkeypatch, turning) as (client, _):
        answer = fetch(asked(), client=client)
    assert "ce:GetReservationCoverage was answered with something" in answer.failures["ce:GetReservationCoverage"]
    assert len(answer.reports) == 3


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("DataUnavailableException", "Cost Explorer has no data for ce:GetSavingsPlansUtilization"),
        ("AccessDeniedException", "ce:GetSavingsPlansUtilization is not allowed (AccessDeniedException)"),
        ("LimitExceededException", "takes no more requests for now"),
        ("ExpiredTokenException", "renew them"),
        ("SomethingNew", "AWS answered SomethingNew to ce:GetSavingsPlansUtilization: You are not authorized."),
    ],
)
def test_a_refusal_is_one_sentence_and_hides_no_other_call(
    code: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(operation: str, request: dict[str, Any]) -> dict[str, Any] | str:
        return code if operation == "GetSavingsPlansUtilization" else ordinary(operation, request)

    with cost_explorer(monkeypatch, refusing) as (client, server):
        answer = fetch(asked(("sp-1", "sp-2")), client=client)
        wanted = len(server.asked)
    said = answer.failures["ce:GetSavingsPlansUtilization"]
    assert said.startswith("prod: ")
    assert says in said
    assert "\n" not in said
    assert [one.measure for one in answer.reports] == [Measure.COVERAGE, Measure.UTILISATION, Measure.COVERAGE]
    # the second plan is not asked for, and every try of the first is counted
    assert answer.requests == wanted


@pytest.mark.parametrize("amount", ["many", "NaN", "Infinity", "-1", "1e40"])
def test_an_amount_that_is_none_is_refused_and_never_counted(amount: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(operation: str, request: dict[str, Any]) -> dict[str, Any]:
        said = ordinary(operation, request)
        if operation == "GetReservationUtilization":
            said["UtilizationsByTime"][0]["Total"]["TotalActualHours"] = amount
        return said

    with cost_explorer(monkeypatch, odd) as (client, _):
        answer = fetch(asked(()), client=client)
    assert list(answer.failures) == ["ce:GetReservationUtilization"]
    assert [one.measure for one in answer.reports] == [Measure.COVERAGE]


def test_every_amount_may_be_absent_and_is_then_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def bare(operation: str, request: dict[str, Any]) -> dict[str, Any]:
        day = {"TimePeriod": request["TimePeriod"]}
        said = ordinary(operation, request)
        return {name: [day] for name, value in said.items() if isinstance(value, list)}

    with cost_explorer(monkeypatch, bare) as (client, _):
        answer = fetch(asked(), client=client)
    assert answer.failures == {}
    assert {day for one in answer.reports for day in one.days} == {CommitmentDay(FIRST, "USD")}


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"<html>Log in</html>", b"[1]", b'{"UtilizationsByTime": [{"TimePeriod": 5}]}']
)
def test_what_is_not_cost_explorer_s_is_said_and_no_figure(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with cost_explorer(monkeypatch, lambda *_: Scripted(body=body)) as (client, server):
        answer = fetch(asked(), client=client)
        assert answer.requests == len(server.asked)
    assert answer.reports == ()
    assert len(answer.failures) == 4


def test_nobody_there_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with cost_explorer(monkeypatch, ordinary) as (client, _):
        pass
    answer = fetch(asked((), instances=True), client=client)
    assert all("cannot be reached" in said for said in answer.failures.values())
