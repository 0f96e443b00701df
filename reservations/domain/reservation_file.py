"""A CSV file of reservations as lines of texts; whatever cannot be read is said in one sentence with its line."""

from reservations.domain.csv_file import Fault, Form, Line, UnableToReadFile, lines_of
from reservations.domain.manual_entry import FIELDS

__all__ = ["MOST_BYTES", "MOST_LINES", "REQUIRED", "Fault", "Line", "UnableToReadFile", "file_lines"]

MOST_BYTES = 512 * 1024
MOST_LINES = 500
REQUIRED = ("provider", "id", "instance_type", "instances", "start")

_FORM = Form(tuple(FIELDS), REQUIRED, "reservation", MOST_LINES, MOST_BYTES)


def file_lines(data: bytes) -> list[Line]:
    """The lines of a file with a header of ``FIELDS``, in any order; UnableToReadFile otherwise."""
    return lines_of(data, _FORM)
