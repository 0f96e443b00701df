"""A replay as JSON has it: the same figures on the page, in files and from the command (docs/replay.md)."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from reservations.domain.period import Period
from scheduler.domain.policy import ReplayPolicy
from scheduler.domain.replay.answer import MonthReplayed, by_workload, inputs_hash, moved_sooner


def replay_document(told: MonthReplayed, *, pool: str, month: date, period: Period, as_of: datetime) -> dict[str, Any]:
    """The replay with plain texts and numbers; ``packed_nodes`` is null and ``sizes`` empty where ``reason`` says why.

    ``hours`` were due, of ``known_hours`` the pods are known; GPU-hours of jobs stand as recorded, as replayed and
    with what their blocks hold.
    """
    work, asked, moved = told.work, told.asked, moved_sooner(told.work)
    return {
        "pool": pool,
        "month": f"{month:%Y-%m}",
        "start": period.start.isoformat(),
        "end": period.end.isoformat(),
        "as_of": as_of.isoformat(),
        "hours": asked.hours,
        "known_hours": len(work.hours),
        "coverage_share": round(float(told.coverage_share), 6),
        "current_nodes": asked.current,
        "gpus_per_node": int(asked.gpus_per_node),
        "packed_nodes": told.packed,
        "reason": told.reason,
        "least_value": told.least_value,
        "jobs": len(work.jobs),
        "jobs_moved_sooner": len(moved),
        "moved_sooner_hours": sum(moved),
        "recorded_gpu_hours": round(float(told.rounding.recorded), 4),
        "replayed_gpu_hours": told.rounding.replayed,
        "held_gpu_hours": told.rounding.held,
        "workload_gpu_hours": by_workload(work),
        "serving_peak_gpus": max(work.realtime, default=0),
        "serving_swap_cap_gpus": work.swap_cap,
        "policy": policy_told(asked.policy),
        "inputs_hash": inputs_hash(work, asked),
        "sizes": [asdict(size) for size in told.sizes],
    }


def policy_told(policy: ReplayPolicy) -> Mapping[str, Any]:
    """The settings a replay ran with."""
    return {
        "around_nodes": policy.around,
        "tolerance_share": float(policy.tolerance),
        "least_coverage_share": float(policy.coverage),
        "priorities": dict(policy.priorities),
        "realtime_penalty": policy.penalty,
        "half_life_steps": None,
        "window_steps": policy.window_steps,
        "iterations": policy.iterations,
    }
