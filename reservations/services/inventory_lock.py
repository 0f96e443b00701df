"""One writer of the inventory at a time, so that two workers never interleave."""

from django.db import connection

#: Any fixed number will do, as long as nothing else in this database locks it.
INVENTORY = 0x6D6F6F72


def lock_inventory() -> None:
    """Wait for the inventory and keep it until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [INVENTORY])
