from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Built beside the running collection: these are the longest tables there are.
    atomic = False

    dependencies = [("telemetry", "0005_queue_days")]

    operations = [
        AddIndexConcurrently(
            model_name="poolday",
            index=models.Index(
                fields=["pool", "day"],
                include=[
                    "hours", "reserved", "paid", "known", "unknown", "busy", "idle", "idle_held",
                    "busy_reserved", "busy_paid", "covered_known", "covered_expected",
                ],
                name="pool_day_use",
            ),
        ),
        AddIndexConcurrently(
            model_name="poolhour",
            index=models.Index(fields=["pool", "hour"], include=["busy", "reserved"], name="pool_hour_use"),
        ),
    ]
