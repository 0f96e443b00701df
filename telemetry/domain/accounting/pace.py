"""Whether samples come as often as the source says; where they don't, time between them is lost without a trace."""

from itertools import pairwise
from statistics import median

from telemetry.domain.accounting.tally import Tally
from telemetry.domain.sample import HourUsage, NodeUsage, Samples

ENOUGH = 5
"""Gaps from which their median is the scrape interval and not an accident."""


def usual_gap_ms(samples: Samples) -> int | None:
    """The median gap between samples in ms; None where there are too few to tell."""
    if len(samples) <= ENOUGH:
        return None
    return int(median(later[0] - earlier[0] for earlier, later in pairwise(samples)))


def check_pace(node: NodeUsage, usage: HourUsage, tally: Tally) -> None:
    """Flag a node whose samples come more than 1.5 times as far apart as the source's interval."""
    _check(node.presence, usage.state_step_ms, "nodes", tally)
    for device in node.devices[:1]:
        _check(device.samples, usage.step_ms, "devices", tally)


def _check(samples: Samples, step_ms: int, what: str, tally: Tally) -> None:
    gap = usual_gap_ms(samples)
    if gap is not None and gap * 2 > step_ms * 3:
        tally.flag(
            "scrape_interval_wrong",
            f"samples of {what} come every {gap // 1000} s, the source says {step_ms // 1000} s: correct its interval",
        )
