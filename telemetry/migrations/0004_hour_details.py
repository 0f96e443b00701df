import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0001_first_light"),
        ("telemetry", "0003_pool_days"),
    ]

    operations = [
        migrations.CreateModel(
            name="HeldPod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("namespace", models.CharField(blank=True, max_length=253)),
                ("name", models.CharField(max_length=253)),
                ("uid", models.CharField(blank=True, max_length=80)),
                (
                    "pool",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="reservations.pool",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HourNode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("node", models.CharField(max_length=253)),
                ("expected", models.BigIntegerField()),
                ("known", models.BigIntegerField()),
                ("busy", models.BigIntegerField(null=True)),
                ("idle_held", models.BigIntegerField(null=True)),
                ("idle_free", models.BigIntegerField(null=True)),
                (
                    "pool_hour",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="nodes",
                        to="telemetry.poolhour",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HourPod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hour", models.DateTimeField()),
                ("cluster_queue", models.CharField(blank=True, max_length=253)),
                (
                    "team",
                    models.CharField(
                        blank=True, help_text="the queue's owner at that time; blank unknown", max_length=80
                    ),
                ),
                ("owner_busy", models.BigIntegerField(null=True)),
                ("borrower_busy", models.BigIntegerField(null=True)),
                ("unmanaged_busy", models.BigIntegerField(null=True)),
                ("unattributed_busy", models.BigIntegerField(null=True)),
                ("idle_held", models.BigIntegerField(null=True)),
                ("allocated", models.BigIntegerField(null=True)),
                ("idle_from", models.DateTimeField(null=True)),
                (
                    "pod",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hours",
                        to="telemetry.heldpod",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="reservations.pool",
                    ),
                ),
                (
                    "pool_hour",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pods",
                        to="telemetry.poolhour",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HourSuspect",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("node", models.CharField(blank=True, max_length=253)),
                ("uuid", models.CharField(max_length=300)),
                (
                    "what",
                    models.CharField(
                        choices=[("silent", "no activity while it worked"), ("frozen", "one value for a long time")],
                        max_length=16,
                    ),
                ),
                ("why", models.TextField(help_text="one sentence")),
                (
                    "pool_hour",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="suspects",
                        to="telemetry.poolhour",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="heldpod",
            index=models.Index(fields=["name"], name="held_pod_by_prefix", opclasses=["varchar_pattern_ops"]),
        ),
        migrations.AddConstraint(
            model_name="heldpod",
            constraint=models.UniqueConstraint(fields=("pool", "namespace", "name", "uid"), name="one_row_per_pod"),
        ),
        migrations.AddConstraint(
            model_name="hournode",
            constraint=models.UniqueConstraint(fields=("pool_hour", "node"), name="one_row_per_hour_and_node"),
        ),
        migrations.AddIndex(
            model_name="hourpod",
            index=models.Index(fields=["pod", "-hour"], name="hour_pod_latest"),
        ),
        migrations.AddIndex(
            model_name="hourpod",
            index=models.Index(
                condition=models.Q(("idle_held__gt", 0)),
                fields=["pool", "hour"],
                include=("pod", "idle_held"),
                name="hour_pod_held_idle",
            ),
        ),
        migrations.AddConstraint(
            model_name="hourpod",
            constraint=models.UniqueConstraint(
                fields=("pool_hour", "pod", "cluster_queue"), name="one_row_per_hour_pod_and_queue"
            ),
        ),
        migrations.AddConstraint(
            model_name="hoursuspect",
            constraint=models.UniqueConstraint(
                fields=("pool_hour", "uuid", "what"), name="one_row_per_hour_device_and_doubt"
            ),
        ),
        migrations.AddConstraint(
            model_name="hoursuspect",
            constraint=models.CheckConstraint(
                condition=models.Q(("what__in", ["silent", "frozen"])), name="hour_suspect_what_is_known"
            ),
        ),
    ]
