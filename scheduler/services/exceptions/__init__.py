"""What requests for exceptions need of the upper floor: frozen evidence, reminders, lapses and outcomes."""

from scheduler.services.exceptions.asking import (
    ask_for_exception,
    begin_exception,
    execute_exception,
    submit_exception_with_evidence,
)
from scheduler.services.exceptions.lapsing import lapse_exceptions

__all__ = [
    "ask_for_exception",
    "begin_exception",
    "execute_exception",
    "lapse_exceptions",
    "submit_exception_with_evidence",
]
