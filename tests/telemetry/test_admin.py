"""The admin takes of a metrics source what a configuration file may say, and nothing else."""

import json

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from reservations.models import RoleGrant, User
from telemetry.models import MetricsSource

pytestmark = pytest.mark.django_db

FORM = {
    "name": "main", "kind": "prometheus", "url": "http://127.0.0.1:9090", "cluster": "", "scrape_interval_seconds": 30,
    "busy_metric": "DCGM_FI_PROF_SM_ACTIVE", "busy_metric_scale": "1", "busy_threshold": "0.05",
    "node_label": "Hostname", "names": "{}",
}  # fmt: skip


@pytest.fixture
def admin(client: Client) -> Client:
    person = User.objects.create_user("root")
    RoleGrant.objects.create(user=person, role="admin")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def faults(admin: Client, **said: object) -> dict[str, list[str]]:
    """What the form is refused for, by field; nothing when it was stored."""
    response = admin.post(reverse("admin:telemetry_metricssource_add"), FORM | said)
    if response.status_code == 302:
        return {}
    assert not MetricsSource.objects.exists()
    return dict(response.context["adminform"].form.errors)


@pytest.mark.parametrize(
    "names",
    [{}, {"pod_label": "pod", "gpu_resources": ["a", "b"], "read_timeout_seconds": 12.5, "headers": {"X-Scope": "a"}}],
)
def test_names_that_a_source_reads_are_stored_as_they_were_typed(admin: Client, names: dict[str, object]) -> None:
    assert faults(admin, names=json.dumps(names)) == {}
    assert MetricsSource.objects.get().names == names


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ('{"pod_lable": "pod"}', "unknown option “pod_lable”"),
        ('{"pod_label": 5}', "option “pod_label” must be text"),
        ('{"gpu_resources": "a"}', "must be a list of texts"),
        ('{"nodes_per_shard": 0}', "must be at least 1"),
        ('{"headers": {"a": 1}}', "must be a table of texts"),
        ("5", "must be a table of keys"),
        ('["pod_label"]', "must be a table of keys"),
    ],
)
def test_names_that_nothing_reads_are_refused_beside_their_field(admin: Client, names: str, said: str) -> None:
    (sentence,) = faults(admin, names=names)["names"]
    assert said in sentence


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("url", "ftp://main", "begin it with http:// or https://"),
        ("busy_metric", "a{b}", "is not a metric or label name"),
        ("node_label", "a-b", "is not a metric or label name"),
        ("busy_threshold", "1.5", "a share is from 0 to 1"),
        ("scrape_interval_seconds", "0", "greater than or equal to 1"),
    ],
)
def test_every_other_field_is_held_to_the_same_as_in_a_file(admin: Client, field: str, value: str, said: str) -> None:
    (sentence,) = faults(admin, **{field: value})[field]
    assert said in sentence


def test_what_two_fields_say_together_is_refused_as_a_whole(admin: Client) -> None:
    assert faults(admin, url="") == {"__all__": ["a Prometheus needs its address: write “url”"]}
    (sentence,) = faults(admin, kind="synthetic", url="synthetic://x")["url"]
    assert "demo fleet" in sentence
    assert faults(admin, kind="synthetic", url="synthetic://7/2026-05-18") == {}


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("scrape_interval_seconds", 1, 0),
        ("busy_metric_scale", "0.01", "0"),
        ("busy_metric_scale", "0.01", "-1"),
        ("busy_threshold", "1", "1.00001"),
        ("busy_threshold", "0", "-0.1"),
    ],
)
def test_numbers_nothing_can_be_measured_with_are_refused_by_the_form_and_by_the_table(
    admin: Client, field: str, good: object, bad: object
) -> None:
    assert faults(admin, **{field: bad})
    with pytest.raises(IntegrityError), transaction.atomic():
        MetricsSource.objects.create(name="straight", **{field: bad})
    assert faults(admin, **{field: good}) == {}
