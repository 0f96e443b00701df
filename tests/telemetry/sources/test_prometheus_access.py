"""Who asks, and which options a source may have."""

import pytest

from telemetry.domain.sample import UnableToFetch
from telemetry.sources import prometheus
from tests.telemetry.sources.questions import question
from tests.telemetry.sources.scripted_server import Asked, Scripted, answering


def asked_with(**options: object) -> Asked:
    with answering([Scripted()]) as server:
        prometheus.fetch(question(server.url, options=options))
    return server.asked[0]


def test_without_a_log_in_none_is_sent() -> None:
    assert "Authorization" not in asked_with().headers


def test_a_token_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEET_TOKEN", "t-123\n")
    assert asked_with(bearer_token_env="FLEET_TOKEN").headers["Authorization"] == "Bearer t-123"


def test_a_password_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEET_USER", "ada")
    monkeypatch.setenv("FLEET_PASSWORD", "pw")
    headers = asked_with(username_env="FLEET_USER", password_env="FLEET_PASSWORD").headers
    assert headers["Authorization"] == "Basic YWRhOnB3"


def test_a_tenant_goes_as_a_header() -> None:
    assert asked_with(headers={"X-Scope-OrgID": "team-a"}).headers["X-Scope-OrgID"] == "team-a"


def test_amazon_gets_a_signature_over_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    from telemetry.sources.prometheus import credentials

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    credentials._aws_credentials.cache_clear()
    headers = asked_with(sigv4_region="us-east-1").headers
    credentials._aws_credentials.cache_clear()
    assert headers["Authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
    assert "/us-east-1/aps/aws4_request" in headers["Authorization"]
    assert headers["X-Amz-Date"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bearer_token_env": "NOT_SET_ANYWHERE"}, "environment variable “NOT_SET_ANYWHERE” for the log-in is not set"),
        ({"node_per_shard": 8}, "unknown option “node_per_shard”: one of "),
        ({"nodes_per_shard": "8"}, "option “nodes_per_shard” must be a whole number, not '8'"),
        ({"nodes_per_shard": 1.5}, "option “nodes_per_shard” must be a whole number, not 1.5"),
        ({"read_timeout_seconds": 10**17}, "option “read_timeout_seconds” must be at most"),
        ({"headers": {"a": "漢"}}, "option “headers” must be a table of texts"),
        ({"headers": {"a": "b\r\nc: d"}}, "option “headers” must be a table of texts"),
        ({"nodes_per_shard": 0}, "option “nodes_per_shard” must be at least 1"),
        ({"gpu_resources": "nvidia_com_gpu"}, "option “gpu_resources” must be a list of texts"),
        ({"headers": {"a": 1}}, "option “headers” must be a table of texts"),
        ({"pod_label": None}, "option “pod_label” must be text, not None"),
        ({"phase_metric": "kube{pod}"}, "“kube{pod}” is not a metric or label name"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(options: dict[str, object], words: str) -> None:
    with answering([Scripted()]) as server, pytest.raises(UnableToFetch) as caught:
        prometheus.fetch(question(server.url, options=options))
    assert words in str(caught.value)
    assert caught.value.permanent


@pytest.mark.parametrize("url", ["", "prometheus:9090", "ftp://127.0.0.1", "http://"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(UnableToFetch, match="has no usable address"):
        prometheus.fetch(question(url))


def test_a_password_in_the_address_is_used_and_never_shown() -> None:
    with answering([Scripted(b"", 403)]) as server, pytest.raises(UnableToFetch) as caught:
        prometheus.fetch(question(server.url.replace("//", "//ada:hunter2@")))
    assert server.asked[0].headers["Authorization"].startswith("Basic ")
    assert "hunter2" not in str(caught.value)
    assert f"at {server.url} refuses" in str(caught.value)
