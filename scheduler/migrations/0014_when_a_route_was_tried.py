from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scheduler", "0013_a_follower_follows_one"),
    ]

    operations = [
        migrations.AddField(
            model_name="notificationroute",
            name="tried_at",
            field=models.DateTimeField(blank=True, help_text="when a trial was last sent to it", null=True),
        ),
    ]
