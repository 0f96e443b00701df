import django.db.models.deletion
from django.db import migrations, models

# The index that came with the foreign key; what it finds, the one on pool and hour finds as well. Its name is what
# Django makes of the table's and the column's, the same in every database.
DROP = "DROP INDEX CONCURRENTLY IF EXISTS telemetry_poolhour_pool_id_788464c7"


class Migration(migrations.Migration):
    # Dropped beside the running collection: nobody who reads or writes hours has to wait.
    atomic = False

    dependencies = [("telemetry", "0006_indexes_of_use")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(DROP, migrations.RunSQL.noop)],
            state_operations=[
                migrations.AlterField(
                    model_name="poolhour",
                    name="pool",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reservations.pool",
                    ),
                )
            ],
        )
    ]
