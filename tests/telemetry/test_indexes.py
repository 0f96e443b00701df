"""The longest table there is pays for each of its indexes with every hour that is written."""

import pytest
from django.db import connection

INDEXES = """
SELECT index.relname, i.indkey::int[]
FROM pg_index i JOIN pg_class index ON index.oid = i.indexrelid JOIN pg_am method ON method.oid = index.relam
WHERE i.indrelid = 'telemetry_poolhour'::regclass AND method.amname = 'btree'
"""


@pytest.mark.django_db
def test_no_index_of_hours_is_only_the_beginning_of_another() -> None:
    with connection.cursor() as cursor:
        cursor.execute(INDEXES)
        indexes = dict(cursor.fetchall())
    assert len(indexes) >= 2
    for name, columns in indexes.items():
        longer = [other for other, more in indexes.items() if other != name and more[: len(columns)] == columns]
        # what keeps rows apart stays, however many columns another index carries along
        assert not longer or name == "one_row_per_pool_and_hour", (name, longer)
