"""Which device a series of the exporter speaks of, and which pod held it."""

from collections.abc import Mapping
from typing import NamedTuple

from telemetry.domain.sample import DeviceSeries, Pod, Samples
from telemetry.sources.prometheus.names import SeriesNames
from telemetry.sources.prometheus.presence import Inventory

EXPORTER = "dcgm-exporter"
"""What every way of installing the exporter calls its pods and containers."""


class DeviceKey(NamedTuple):
    """What must be equal for two series to be scrapes of the same thing; exporter pod, job and driver may differ."""

    uuid: str
    gpu_instance: str
    profile: str
    model: str
    namespace: str
    pod: str
    pod_uid: str
    queue: str

    def series(self, samples: Samples) -> DeviceSeries:
        """The device with its samples."""
        return DeviceSeries(
            uuid=self.uuid,
            samples=samples,
            gpu_instance=self.gpu_instance,
            profile=self.profile,
            model=self.model,
            pod=Pod(self.namespace, self.pod, self.pod_uid) if self.pod else None,
            queue=self.queue or None,
        )


def device_key(labels: Mapping[str, str], found: Inventory, names: SeriesNames) -> DeviceKey:
    """The device and pod of one series; a device without UUID is told by its node's name and number."""
    pod_label, namespace_label = found.pod_labels or ("", "")
    pod = labels.get(pod_label, "")
    if pod_label == "pod" and EXPORTER in f"{pod} {labels.get('container', '')}":
        pod = ""  # a free GPU under honor_labels is left with the labels of the exporter that was scraped
    return DeviceKey(
        uuid=labels.get(names.uuid_label) or labels.get("uuid") or _numbered(labels, found),
        gpu_instance=labels.get("GPU_I_ID", ""),
        profile=labels.get("GPU_I_PROFILE", ""),
        model=labels.get("modelName") or labels.get("model_name", ""),
        namespace=labels.get(namespace_label, "") if pod else "",
        pod=pod,
        pod_uid=labels.get(names.pod_uid_label, "") if pod else "",
        queue=labels.get(names.exporter_queue_label, "") if pod else "",
    )


def _numbered(labels: Mapping[str, str], found: Inventory) -> str:
    node = next((labels[label] for label in found.hostname_labels if label in labels), "")
    return f"{node}/gpu{labels.get('gpu', '')}"
