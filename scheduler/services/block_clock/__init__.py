"""Bringing jobs to safety before their block ends: registering them, reporting on them, and the controller's passes."""

from scheduler.services.block_clock.passing import Passed, watch_blocks
from scheduler.services.block_clock.registering import (
    Registered,
    UnableToAcceptOwner,
    UnableToRegisterJob,
    UnableToRegisterTwice,
    register_job,
)
from scheduler.services.block_clock.reporting import JobReport, UnableToReport, report_on_job

__all__ = [
    "JobReport",
    "Passed",
    "Registered",
    "UnableToAcceptOwner",
    "UnableToRegisterJob",
    "UnableToRegisterTwice",
    "UnableToReport",
    "register_job",
    "report_on_job",
    "watch_blocks",
]
