"""The policy in docs/ allows what the source asks, nothing that changes anything, and nothing more."""

import ast
import json
from pathlib import Path

import botocore.session
import pytest
from botocore import xform_name

from telemetry.sources.ec2 import fetch
from tests.telemetry.sources.ec2_world import aws, block, question, real_client, reservation

ROOT = Path(__file__).resolve().parents[3]
POLICY = json.loads((ROOT / "docs" / "aws-iam-policy.json").read_text())
ALLOWED = {
    action
    for statement in POLICY["Statement"]
    for action in ([statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"])
}


SOURCES = {"ec2": "ec2", "ce": "cost_explorer", "pricing": "price_list"}
"""AWS services by the name of their client, each with the source that asks it."""


def operations_named_in_the_source(service: str) -> set[str]:
    """Every operation whose client method or paginator name stands in the source, as an attribute or a string."""
    model = botocore.session.get_session().get_service_model(service)
    methods = {xform_name(name): name for name in model.operation_names}
    found = set()
    source = ROOT / "telemetry" / "sources" / SOURCES[service]
    for path in source.glob("*.py") if source.is_dir() else [source.with_suffix(".py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "value", None)
            if isinstance(name, str) and name in methods:
                found.add(f"{service}:{methods[name]}")
    return found


def allowed(service: str) -> set[str]:
    return {action for action in ALLOWED if action.startswith(f"{service}:")}


@pytest.mark.parametrize("service", SOURCES)
def test_the_policy_is_exactly_what_the_source_calls(service: str) -> None:
    assert operations_named_in_the_source(service) == allowed(service)


def test_the_policy_only_reads() -> None:
    verbs = ("ec2:Describe", "ec2:Get", "ce:Get", "pricing:Get")
    assert all(action.startswith(verbs) for action in ALLOWED)
    assert all(statement["Effect"] == "Allow" for statement in POLICY["Statement"])


def test_a_whole_sweep_asks_nothing_outside_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)
    with aws(reservation(), block()) as (url, endpoint):
        assert fetch(question(url)).degraded == {}
    assert {f"ec2:{call.action}" for call in endpoint.calls} == allowed("ec2")
