"""What requests for exceptions need of the upper floor: frozen evidence, reminders, lapses and outcomes."""

from scheduler.services.exceptions.asking import (
    ask_for_exception,
    begin_exception,
    execute_exception,
    submit_exception_with_evidence,
)
from scheduler.services.exceptions.lapsing import lapse_exceptions
from scheduler.services.exceptions.outcomes import measure_exception_outcomes

__all__ = [
    "ask_for_exception",
    "begin_exception",
    "execute_exception",
    "lapse_exceptions",
    "measure_exception_outcomes",
    "submit_exception_with_evidence",
]
