"""Scenarios to choose from: those that are shipped, and those somebody brought along."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from scheduler.models import KeptScenario

FOLDER = Path(__file__).parent.parent / "scenarios"


@dataclass(frozen=True, slots=True)
class DemoScenario:
    """A shipped scenario: ``key`` is its name in addresses, ``about`` what it shows, in one sentence."""

    key: str
    title: str
    about: str


DEMOS = (
    DemoScenario("mixed", "Mixed", "All four types of jobs on eight GPUs, with room enough for most of them."),
    DemoScenario("rt_contention", "Real-time contention", "Three real-time jobs that hold most of a small fleet."),
    DemoScenario("training_heavy", "Training-heavy", "Blocks of up to the whole fleet queue behind each other."),
    DemoScenario("backfill", "Backfill", "A fleet that is nearly full: small jobs fill what large ones leave."),
    DemoScenario("burst", "Burst", "Many jobs at once, of which some arrive while others run."),
    DemoScenario("scale", "Scale", "64 GPUs and 30 jobs that nearly all fit: only who comes first can be won."),
)
"""Synthetic, and searched for so that their figures resemble a published article's: examples, no evidence."""


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A scenario somebody brought along; ``key`` is its name in addresses."""

    key: str
    name: str
    gpus: int
    steps: int
    jobs: int
    kept_at: datetime


def demo_scenario(key: str) -> Mapping[str, Any] | None:
    """The shipped scenario of that name, None where there is none."""
    return _read(key) if key in {demo.key for demo in DEMOS} else None


def kept_scenarios(*, user_id: int) -> list[KeptRow]:
    """What somebody brought along, the newest first, without the scenarios themselves."""
    rows = KeptScenario.objects.filter(kept_by_id=user_id).order_by("-kept_at", "-pk")
    return [KeptRow(**row) for row in rows.values("key", "name", "gpus", "steps", "jobs", "kept_at")]


def kept_scenario(*, user_id: int, key: str) -> Mapping[str, Any] | None:
    """One of somebody's own scenarios; None where there is none, or it is another's."""
    text = KeptScenario.objects.filter(kept_by_id=user_id, key=key).values_list("scenario", flat=True).first()
    if text is None:
        return None
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _read(key: str) -> Mapping[str, Any]:
    read: dict[str, Any] = json.loads((FOLDER / f"{key}.json").read_text("utf-8"))
    return read
