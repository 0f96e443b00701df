"""Replays of a pool's month: at once for a command, or asked for and worked off by a worker."""

from scheduler.services.replay.month import replay_month
from scheduler.services.replay.runs import (
    cancel_month_replay,
    forget_old_month_replays,
    keep_month_replay,
    request_month_replay,
)
from scheduler.services.replay.working_off import run_month_replays

__all__ = [
    "cancel_month_replay",
    "forget_old_month_replays",
    "keep_month_replay",
    "replay_month",
    "request_month_replay",
    "run_month_replays",
]
