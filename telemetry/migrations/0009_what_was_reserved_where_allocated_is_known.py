from django.db import migrations, models

# Hours are only read. A day that is written meanwhile waits for this, and is added up anew by whoever writes it.
ADD_UP = """
UPDATE telemetry_poolday d SET allocated_reserved = h.reserved
FROM (
    SELECT pool_id, (hour AT TIME ZONE 'UTC')::date AS day, sum(reserved) AS reserved
    FROM telemetry_poolhour WHERE allocated IS NOT NULL
    GROUP BY pool_id, (hour AT TIME ZONE 'UTC')::date
) h
WHERE h.pool_id = d.pool_id AND h.day = d.day
"""


class Migration(migrations.Migration):

    dependencies = [
        ('telemetry', '0008_what_waited'),
    ]

    operations = [
        migrations.AddField(
            model_name='poolday',
            name='allocated_reserved',
            field=models.BigIntegerField(default=0),
        ),
        migrations.RunSQL(ADD_UP, migrations.RunSQL.noop),
    ]
