"""One run of a kind at a time, over all workers."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def sole_run(lock: int, number: int = 0) -> Iterator[bool]:
    """Whether no other run holds this lock (a class of advisory locks of its own, and a number of 31 bits in it).

    The lock belongs to the database session and ends with it, so a killed worker leaves nothing to wait for.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [lock, number])
        alone = bool(cursor.fetchone()[0])
    try:
        yield alone
    finally:
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [lock, number])
