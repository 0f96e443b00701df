import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0016_frozen_requests"),
        ("scheduler", "0014_when_a_route_was_tried"),
    ]

    operations = [
        migrations.CreateModel(
            name="ExceptionOutcome",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("start_at", models.DateTimeField()),
                ("end_at", models.DateTimeField()),
                ("measured_at", models.DateTimeField()),
                ("hours", models.PositiveIntegerField()),
                ("hours_known", models.PositiveIntegerField()),
                ("claimed_share", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ("busy_share", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ("coverage_share", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ("mean_busy_nodes", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ("mean_held_nodes", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ("met", models.BooleanField(null=True)),
                ("sentence", models.CharField(max_length=300)),
                (
                    "request",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reservations.exceptionrequest",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("met__isnull", True),
                            models.Q(("busy_share__isnull", False), ("claimed_share__isnull", False)),
                            _connector="OR",
                        ),
                        name="exception_outcome_rests_on_figures",
                    )
                ],
            },
        ),
    ]
