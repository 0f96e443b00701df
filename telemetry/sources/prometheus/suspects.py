"""Devices whose SM activity is not to be believed: 0 for ten minutes in which they worked by all other signs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from telemetry.domain.sample import DeviceSeries, Samples
from telemetry.sources.prometheus.names import SeriesNames
from telemetry.sources.prometheus.questions import SUSPICIOUS_MINUTES, SUSPICIOUS_UTIL_PERCENT, Questions
from telemetry.sources.prometheus.series import Series

SPAN_MS = SUSPICIOUS_MINUTES * 60_000
ZERO_ACTIVITY = 0.001


def silent_while_busy(
    called_busy: Iterable[Series], devices: Mapping[str, Sequence[DeviceSeries]], questions: Questions
) -> dict[str, str]:
    """uuid → why, for devices without activity in a whole span that ``called_busy`` ends with a value."""
    activity: dict[str, list[Samples]] = defaultdict(list)
    for device in (device for on_node in devices.values() for device in on_node):
        activity[device.uuid].append(device.samples)
    enough = SPAN_MS // questions.step_ms // 2
    # what the driver says goes before what the power meter says
    ordered = sorted(called_busy, key=lambda series: series["metric"].get("by") == "utilization")
    return {
        uuid: _why(series["metric"].get("by", ""), questions.names)
        for series in ordered
        if (uuid := series["metric"].get(questions.names.uuid_label)) in activity
        and any(_silent(activity[uuid], int(at * 1000), enough) for at, _ in series["values"])
    }


def _why(sign: str, names: SeriesNames) -> str:
    zero = f"SM activity 0 for {SUSPICIOUS_MINUTES} minutes while"
    if sign == "power":
        return f"{zero} {names.power_metric} showed the draw of a GPU at work"
    return f"{zero} {names.gpu_util_metric} stood at {SUSPICIOUS_UTIL_PERCENT} % or more"


def _silent(activity: Sequence[Samples], end_ms: int, enough: int) -> bool:
    seen = 0
    for samples in activity:
        for at, value in samples:
            if end_ms - SPAN_MS < at <= end_ms:
                seen += 1
                if value > ZERO_ACTIVITY:
                    return False
    return seen >= enough
