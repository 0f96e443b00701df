"""The second sign-off of an emergency says one of two words, or nothing yet."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0019_service_tokens"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.CheckConstraint(
                condition=models.Q(verdict__in=["", "agreed", "refused"]), name="break_glass_verdict_is_known"
            ),
        ),
    ]
