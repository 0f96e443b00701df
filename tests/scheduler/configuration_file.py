"""One good configuration file, and how tests run the command on a changed copy of it."""

import io
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from reservations.models import Owner, User

GOOD = """\
organisation: {name: Example, accounting_zone: Europe/Berlin}
owners:
  - {name: serving, email: serving@example.com, members: [ada], fallback: platform}
  - {name: platform}
  - {name: research}
people:
  - {name: grace, roles: [analyst, approver]}
  - {name: ada, roles: [viewer], team: research}
accounts:
  - {name: prod, provider: aws, account_id: "111122223333", regions: [us-east-1],
     role_arn: null, external_id: null, endpoint_url: null}
metrics_sources:
  - {name: main, url: "http://127.0.0.1:9090", cluster: prod-a, scrape_interval_seconds: 30,
     busy_metric: DCGM_FI_PROF_SM_ACTIVE, busy_metric_scale: 1, busy_threshold: 0.05, node_label: Hostname,
     names: {pod_queue_label: label_queue, read_timeout_seconds: 12.5}}
pools:
  - name: reserved-h100
    owner: serving
    instance_type: p5.48xlarge
    gpus_per_node: 8
    metrics_source: main
    reservations: [cr-0aaa, {tag: [team, serving]}]
    node_match: {label: label_karpenter_k8s_aws_capacity_reservation_id, values: [cr-0aaa]}
    data_zone_id: use1-az4
    cohort: h100
    flavor: reserved
    spare_nodes: 1
    gpu_generation: hopper
    useful_until: 2027-06-30
    queues:
      - {cluster_queue: cq-a, owner: serving, workload: serving,
         nominal_share: 0.75, lending_limit: 16, namespaces: [web]}
      - {cluster_queue: cq-b, owner: research, workload: batch}
  - {name: bare, owner: research, instance_type: g6.xlarge, gpus_per_node: 1}
prices:
  - {pool: reserved-h100, from: 2026-01-01, to: 2026-07-01, on_demand: "100", reserved: "62", currency: USD,
     unit: node-hour, source: "quote 17"}
  - {pool: reserved-h100, from: 2026-07-01, to: null, on_demand: 98.32, reserved: 60,
     currency: USD, unit: node-hour}
  - {shape: g6.xlarge, from: 2026-01-01, on_demand: "0.8048", reserved: "0.5", currency: USD, unit: gpu-hour}
procurement_rule: {version: 1, owner: serving, reserved_share_of_base_load: "0.9", spot_workloads: [batch],
  block_booking_lead_days: 21, procurement_lead_days: 14, steps: [{up_to: "100000", role: approver}]}
"""


def changed(*swaps: tuple[str, str]) -> str:
    text = GOOD
    for old, new in swaps:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return text


def apply(folder: Path, text: str | bytes, form: str = "json") -> tuple[str, str]:
    """What the command writes to stdout and stderr; CommandError when it refuses."""
    path = folder / "moorage.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    out, err = io.StringIO(), io.StringIO()
    call_command("apply_config", str(path), format=form, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def refused(folder: Path, text: str | bytes) -> str:
    """What the command says when it refuses; nothing may have been written."""
    with pytest.raises(CommandError) as caught:
        apply(folder, text)
    assert caught.value.returncode == 1
    assert not Owner.objects.exists()
    assert not User.objects.exists()
    return str(caught.value)
