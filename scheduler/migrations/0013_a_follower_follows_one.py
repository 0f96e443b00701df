from django.db import migrations, models
from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber


def leave_each_to_the_first(apps, schema_editor):
    """Where one reservation was taken to follow several, it follows the one it was taken for first.

    The others keep their steps with what they were told, and the next run opens those anew whose end lies ahead.
    """
    renewals = apps.get_model("scheduler", "Renewal").objects.using(schema_editor.connection.alias)
    place = Window(RowNumber(), partition_by=[F("followed_by_id")], order_by=[F("moved_at").asc(), F("pk").asc()])
    later = renewals.filter(followed_by__isnull=False).annotate(place=place).filter(place__gt=1)
    renewals.filter(pk__in=list(later.values_list("pk", flat=True))).update(followed_by=None)
    # An index is not made while a foreign key waits to be looked at.
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


class Migration(migrations.Migration):
    dependencies = [
        ("scheduler", "0012_steps_beside_the_latest"),
    ]

    operations = [
        migrations.RunPython(leave_each_to_the_first, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="renewal",
            constraint=models.UniqueConstraint(
                condition=Q(("followed_by__isnull", False)),
                fields=("followed_by",),
                name="renewal_follower_follows_one",
            ),
        ),
    ]
