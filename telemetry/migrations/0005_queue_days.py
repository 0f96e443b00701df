import django.db.models.deletion
from django.db import migrations, models

# The days of the hours that stand already; hours are only read, so nobody who reads or writes them has to wait.
ADD_UP_DAYS = """
INSERT INTO telemetry_pooldayqueue (
    pool_id, day, cluster_queue, team, workload,
    allocated, owner_busy, borrower_busy, unmanaged_busy, unattributed_busy)
SELECT h.pool_id, (h.hour AT TIME ZONE 'UTC')::date, q.cluster_queue, q.team, q.workload,
    sum(q.allocated), sum(q.owner_busy), sum(q.borrower_busy), sum(q.unmanaged_busy), sum(q.unattributed_busy)
FROM telemetry_poolhour h
JOIN telemetry_poolhourqueue q ON q.pool_hour_id = h.id
GROUP BY h.pool_id, (h.hour AT TIME ZONE 'UTC')::date, q.cluster_queue, q.team, q.workload
"""


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0001_first_light"),
        ("telemetry", "0004_hour_details"),
    ]

    operations = [
        migrations.CreateModel(
            name="PoolDayQueue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("cluster_queue", models.CharField(blank=True, max_length=253)),
                ("team", models.CharField(blank=True, max_length=80)),
                ("workload", models.CharField(blank=True, max_length=16)),
                ("allocated", models.BigIntegerField(null=True)),
                ("owner_busy", models.BigIntegerField(null=True)),
                ("borrower_busy", models.BigIntegerField(null=True)),
                ("unmanaged_busy", models.BigIntegerField(null=True)),
                ("unattributed_busy", models.BigIntegerField(null=True)),
                (
                    "pool",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="reservations.pool"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pool", "day", "cluster_queue", "team", "workload"),
                        name="one_row_per_pool_day_and_queue",
                    )
                ],
            },
        ),
        migrations.RunSQL(ADD_UP_DAYS, migrations.RunSQL.noop),
    ]
