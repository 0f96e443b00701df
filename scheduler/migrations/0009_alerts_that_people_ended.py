from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("scheduler", "0008_jobs_on_blocks_that_end"),
    ]

    operations = [
        migrations.AddField(
            model_name="alertepisode",
            name="hushed",
            field=models.BooleanField(
                default=False,
                help_text="resolved by a person and not found in order since: the same opens no other",
            ),
        ),
        migrations.AddField(
            model_name="alertepisode",
            name="woken_at",
            field=models.DateTimeField(
                blank=True, help_text="when it last came back from being put off", null=True
            ),
        ),
        migrations.AddField(
            model_name="alertevaluation",
            name="failed",
            field=models.JSONField(
                default=dict, help_text="rule → what went wrong with it; its episodes stayed as they were"
            ),
        ),
        migrations.AddIndex(
            model_name="alertepisode",
            index=models.Index(condition=models.Q(("hushed", True)), fields=["rule", "object"], name="alert_hushed"),
        ),
        migrations.AddConstraint(
            model_name="alertepisode",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("hushed", False),
                    models.Q(("state", "resolved"), models.Q(("resolved_by", ""), _negated=True)),
                    _connector="OR",
                ),
                name="alert_hushed_by_a_person",
            ),
        ),
    ]
