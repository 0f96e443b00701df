from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0012_jobs_scope"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="accesstoken", name="token_scopes_are_known"),
        migrations.AddConstraint(
            model_name="accesstoken",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "scopes__contained_by",
                        [
                            "read:usage",
                            "read:reservations",
                            "read:pools",
                            "read:health",
                            "allocate",
                            "jobs",
                            "read:alerts",
                            "alerts",
                        ],
                    ),
                    ("scopes__len__gt", 0),
                ),
                name="token_scopes_are_known",
            ),
        ),
    ]
