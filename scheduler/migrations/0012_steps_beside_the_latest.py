import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("scheduler", "0011_what_a_job_was_registered_with"),
    ]

    operations = [
        migrations.AddField(
            model_name="alertepisode",
            name="also",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40),
                blank=True,
                default=list,
                help_text="every step that came beside, each told once",
                size=None,
            ),
        ),
    ]
