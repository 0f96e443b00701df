from django.db import migrations

# What ran where nothing was held stays a lower bound, and what came in a file stays whatever was held.
FORGET = """
DELETE FROM telemetry_demandhour d
USING telemetry_poolhour h
WHERE h.pool_id = d.pool_id AND h.hour = d.hour AND h.reserved = 0
  AND coalesce(h.allocated, 0) = 0 AND d.source = 'ledger, bound alone'
"""


class Migration(migrations.Migration):
    dependencies = [
        ("telemetry", "0009_what_was_reserved_where_allocated_is_known"),
    ]

    operations = [
        migrations.RunSQL(FORGET, migrations.RunSQL.noop),
    ]
