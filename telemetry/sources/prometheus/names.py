"""What series and labels are called, and how much may be asked at once: the ``names`` of a metrics source.

Every field below is a key an operator may set; anything left out keeps its default.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from telemetry.domain.sample import UnableToFetch

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class SeriesNames:
    """Names of metrics, labels and resources; a blank pod or hostname label means: find out which is in use."""

    node_labels_metric: str = "kube_node_labels"
    node_capacity_metric: str = "kube_node_status_capacity"
    requests_metric: str = "kube_pod_container_resource_requests"
    init_requests_metric: str = "kube_pod_init_container_resource_requests"
    phase_metric: str = "kube_pod_status_phase"
    pod_labels_metric: str = "kube_pod_labels"
    queue_usage_metric: str = "kueue_cluster_queue_resource_usage"
    queue_nominal_metric: str = "kueue_cluster_queue_nominal_quota"
    queue_pending_metric: str = "kueue_cluster_queue_resource_pending"
    queue_pending_count_metric: str = "kueue_pending_workloads"
    gpu_util_metric: str = "DCGM_FI_DEV_GPU_UTIL"
    power_metric: str = "DCGM_FI_DEV_POWER_USAGE"
    power_limit_metric: str = "DCGM_FI_DEV_POWER_MGMT_LIMIT"

    node_match_label: str = "label_karpenter_k8s_aws_capacity_reservation_id"
    physical_count_label: str = "label_nvidia_com_gpu_count"
    pod_queue_label: str = "label_kueue_x_k8s_io_cluster_queue_name"
    exporter_queue_label: str = "kueue_x_k8s_io_cluster_queue_name"
    cluster_label: str = "cluster"
    kueue_resource: str = "nvidia.com/gpu"
    gpu_resources: tuple[str, ...] = ("nvidia_com_gpu", "nvidia_com_gpu_shared")
    mig_resource_prefix: str = "nvidia_com_mig_"

    uuid_label: str = "UUID"
    pod_label: str = ""
    namespace_label: str = ""
    pod_uid_label: str = "pod_uid"
    state_node_label: str = "node"
    state_pod_label: str = "pod"
    state_namespace_label: str = "namespace"
    state_uid_label: str = "uid"
    state_container_label: str = "container"

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> "SeriesNames":
        """The names an operator set over the defaults; UnableToFetch when one is not what its field holds."""
        return _filled(cls(), options)


LARGEST_LIMIT = 1 << 30
"""Seconds, bytes or counts beyond this are a slip of the keyboard, and more than sockets take."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an answer may take and how large it may be; ``state_interval_seconds`` 0: as the devices."""

    connect_timeout_seconds: float = 5.0
    read_timeout_seconds: float = 60.0
    answer_timeout_seconds: float = 120.0
    max_response_bytes: int = 64 * 1024 * 1024
    nodes_per_shard: int = 64
    pods_per_shard: int = 400
    state_interval_seconds: int = 0

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> "Limits":
        """The limits an operator set over the defaults; UnableToFetch when one is not a number above 0."""
        limits = _filled(cls(), options)
        for item in fields(cls):
            if getattr(limits, item.name) > LARGEST_LIMIT:
                raise UnableToFetch(f"option “{item.name}” must be at most {LARGEST_LIMIT}", permanent=True)
            if getattr(limits, item.name) < (item.name != "state_interval_seconds"):
                raise UnableToFetch(f"option “{item.name}” must be at least 1", permanent=True)
        return limits


@dataclass(frozen=True, slots=True)
class Access:
    """Who asks: names of environment variables that hold secrets, never the secrets themselves."""

    bearer_token_env: str = ""
    username_env: str = ""
    password_env: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    sigv4_region: str = ""
    sigv4_service: str = "aps"

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> "Access":
        """How to log in as the operator set it; UnableToFetch when a value is not text."""
        return _filled(cls(), options)


OPTION_KEYS: frozenset[str] = frozenset(item.name for kind in (SeriesNames, Limits, Access) for item in fields(kind))
"""Every key a source's ``names`` may hold."""


def checked_options(options: Mapping[str, object]) -> Mapping[str, object]:
    """The options themselves; UnableToFetch when one of them has a key nothing reads (a typing error, most likely)."""
    if unknown := sorted(set(options) - OPTION_KEYS):
        raise UnableToFetch(f"unknown option “{unknown[0]}”: one of {', '.join(sorted(OPTION_KEYS))}", permanent=True)
    return options


def checked_name(name: str) -> str:
    """A metric or label name as PromQL writes it bare; UnableToFetch when it is none."""
    if not NAME.fullmatch(name):
        raise UnableToFetch(f"“{name}” is not a metric or label name: letters, digits, _ and : only", permanent=True)
    return name


Kind = TypeVar("Kind", SeriesNames, Limits, Access)


def _filled(defaults: Kind, options: Mapping[str, object]) -> Kind:
    names = [item.name for item in fields(defaults) if item.name in options]
    given: dict[str, Any] = {name: _like(getattr(defaults, name), options[name], name) for name in names}
    return replace(defaults, **given)


def _like(default: object, value: object, name: str) -> object:
    if isinstance(default, str):
        fits = isinstance(value, str)
    elif isinstance(default, tuple):
        fits, value = _texts(value), tuple(value) if isinstance(value, list | tuple) else value
    elif isinstance(default, Mapping):
        fits = isinstance(value, Mapping) and all(map(_is_header_text, [*value.keys(), *value.values()]))
    elif isinstance(default, float):
        fits = isinstance(value, int | float) and not isinstance(value, bool)
    else:
        fits = isinstance(value, int) and not isinstance(value, bool)
    if not fits:
        kinds: dict[type, str] = {
            str: "text",
            tuple: "a list of texts",
            dict: "a table of texts in printable ASCII",
            int: "a whole number",
        }
        wanted = kinds.get(type(default), "a number")
        raise UnableToFetch(f"option “{name}” must be {wanted}, not {value!r}", permanent=True)
    return value


def _is_header_text(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isprintable()


def _texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)
