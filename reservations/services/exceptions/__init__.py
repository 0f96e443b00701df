"""Requests for exceptions: drafting, submitting, deciding, executing, and letting them lapse (docs/exceptions.md)."""

from reservations.services.exceptions.acting import Moved, UnableToMoveRequest
from reservations.services.exceptions.deciding import (
    Condition,
    approve_exception,
    approve_with_conditions,
    reject_exception,
    return_exception,
)
from reservations.services.exceptions.drafting import SavedDraft, attach_file, remove_file, save_draft_exception
from reservations.services.exceptions.executing import mark_executed, meet_condition
from reservations.services.exceptions.glass import break_glass, second_sign_off
from reservations.services.exceptions.lapsing import Lapsed, lapse_exceptions
from reservations.services.exceptions.refusing import record_refusal
from reservations.services.exceptions.submitting import (
    Evidence,
    revise_exception,
    submit_exception,
    withdraw_exception,
)

__all__ = [
    "Condition",
    "Evidence",
    "Lapsed",
    "Moved",
    "SavedDraft",
    "UnableToMoveRequest",
    "approve_exception",
    "approve_with_conditions",
    "attach_file",
    "break_glass",
    "lapse_exceptions",
    "mark_executed",
    "meet_condition",
    "record_refusal",
    "reject_exception",
    "remove_file",
    "return_exception",
    "revise_exception",
    "save_draft_exception",
    "second_sign_off",
    "submit_exception",
    "withdraw_exception",
]
