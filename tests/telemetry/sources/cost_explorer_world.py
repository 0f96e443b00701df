"""Cost Explorer over HTTP on this machine: every answer is built from botocore's own model of the service."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import botocore.session
import pytest

from telemetry.sources.ec2.clients import cost_explorer_client
from tests.telemetry.sources.ec2_world import question, real_client
from tests.telemetry.sources.scripted_server import Asked, Scripted, ScriptedServer, answering

MODEL = botocore.session.get_session().get_service_model("ce")
TARGET = f"{MODEL.metadata['targetPrefix']}."

Answer = Mapping[str, Any] | str
"""What an operation answers, or the name of the error it answers with."""


def told(operation: str, answer: Mapping[str, Any]) -> Scripted:
    """An answer as the service sends it; a member or a kind of value its model does not know is a fault of the test."""
    _check(MODEL.operation_model(operation).output_shape, answer, operation)
    return Scripted(body=json.dumps(answer).encode(), content_type="application/x-amz-json-1.1")


def refused(code: str, status: int = 400) -> Scripted:
    body = json.dumps({"__type": code, "message": "You are not\nauthorized."}).encode()
    return Scripted(body=body, status=status, content_type="application/x-amz-json-1.1")


def operation_of(asked: Asked) -> str:
    return {name.lower(): value for name, value in asked.headers.items()}["x-amz-target"].removeprefix(TARGET)


@contextmanager
def cost_explorer(
    monkeypatch: pytest.MonkeyPatch, answers: Callable[[str, dict[str, Any]], Answer | Scripted]
) -> Iterator[tuple[Any, ScriptedServer]]:
    """A real client of a server that answers by operation and request; its requests are checked against the model."""

    def answer(asked: Asked) -> Scripted:
        operation, request = operation_of(asked), json.loads(asked.body)
        _check(MODEL.operation_model(operation).input_shape, request, operation)
        said = answers(operation, request)
        if isinstance(said, Scripted):
            return said
        return refused(said) if isinstance(said, str) else told(operation, said)

    real_client(monkeypatch)
    with answering(answer) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_COST_EXPLORER", server.url)
        yield cost_explorer_client(question("")), server


def plan_day(day: str, total: str, used: str, equivalent: str) -> dict[str, Any]:
    unused = str(float(total) - float(used))
    return {
        "TimePeriod": {"Start": day, "End": day},
        "Utilization": {"TotalCommitment": total, "UsedCommitment": used, "UnusedCommitment": unused},
        "Savings": {"OnDemandCostEquivalent": equivalent, "NetSavings": "-3"},
    }


def plan_coverage(day: str, covered: str, on_demand: str, total: str) -> dict[str, Any]:
    spend = {"SpendCoveredBySavingsPlans": covered, "OnDemandCost": on_demand, "TotalCost": total}
    return {"TimePeriod": {"Start": day, "End": day}, "Coverage": spend}


def instance_day(day: str, fee: str, unused: str, equivalent: str, hours: str) -> dict[str, Any]:
    total = {
        "TotalAmortizedFee": fee, "RICostForUnusedHours": unused, "OnDemandCostOfRIHoursUsed": equivalent,
        "TotalActualHours": hours,
    }  # fmt: skip
    return {"TimePeriod": {"Start": day, "End": day}, "Groups": [], "Total": total}


def instance_coverage(day: str, reserved: str, running: str, on_demand: str) -> dict[str, Any]:
    hours = {"ReservedHours": reserved, "TotalRunningHours": running}
    total = {"CoverageHours": hours, "CoverageCost": {"OnDemandCost": on_demand}}
    return {"TimePeriod": {"Start": day, "End": day}, "Groups": [], "Total": total}


def ordinary(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    """One day of every call."""
    day = request["TimePeriod"]["Start"]
    total = {"Utilization": {"TotalCommitment": "1", "UsedCommitment": "1"}}
    return {
        "GetSavingsPlansUtilization": {
            "SavingsPlansUtilizationsByTime": [plan_day(day, "240", "180", "300")], "Total": total,
        },
        "GetSavingsPlansCoverage": {"SavingsPlansCoverages": [plan_coverage(day, "300", "100", "400")]},
        "GetReservationUtilization": {"UtilizationsByTime": [instance_day(day, "960", "240", "1200", "18")]},
        "GetReservationCoverage": {"CoveragesByTime": [instance_coverage(day, "18", "24", "600")]},
    }[operation]  # fmt: skip


def _check(shape: Any, value: Any, where: str) -> None:
    kind = shape.type_name
    if kind == "structure":
        assert isinstance(value, Mapping), where
        for name, inner in value.items():
            assert name in shape.members, f"{where}.{name}"
            _check(shape.members[name], inner, f"{where}.{name}")
    elif kind == "list":
        assert isinstance(value, list), where
        for inner in value:
            _check(shape.member, inner, f"{where}[]")
    else:
        assert isinstance(value, {"string": str, "integer": int, "map": dict}[kind]), f"{where} is no {kind}"
        assert value in (getattr(shape, "enum", None) or [value]), where
