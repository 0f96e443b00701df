from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    # Built beside the running sweeps: the table is the longest there is.
    atomic = False

    dependencies = [("reservations", "0002_saved_views")]

    operations = [
        AddIndexConcurrently(
            model_name="reservationobservation",
            index=models.Index(
                condition=Q(present=False)
                | ~Q(state_raw="active")
                | Q(available_count__isnull=True)
                | Q(available_count=0),
                fields=["reservation", "-observed_at"],
                name="observed_none_free",
            ),
        ),
    ]
