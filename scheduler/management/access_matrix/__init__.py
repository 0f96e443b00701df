"""The access matrix: which role opens which door of the site, written down apart from the code that decides it."""

from scheduler.management.access_matrix.calls import CALLS
from scheduler.management.access_matrix.doors import Door, Reach
from scheduler.management.access_matrix.exceptions import EXCEPTIONS
from scheduler.management.access_matrix.hidden import HIDDEN
from scheduler.management.access_matrix.pages import PAGES
from scheduler.management.access_matrix.signing_in import SIGNING_IN

DOORS: tuple[Door, ...] = (*PAGES, *EXCEPTIONS, *CALLS, *SIGNING_IN, *HIDDEN)

__all__ = ["DOORS", "Door", "Reach"]
