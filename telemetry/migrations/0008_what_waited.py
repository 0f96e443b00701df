import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('telemetry', '0007_one_index_of_pools_hours'),
    ]

    operations = [
        migrations.CreateModel(
            name='HourAsked',
            fields=[
                ('pool_hour', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='asked', serialize=False, to='telemetry.poolhour')),
                ('peak_gpus', models.DecimalField(decimal_places=4, max_digits=14, null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('peak_gpus__gte', 0)), name='hour_asked_is_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='HourQueued',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cluster_queue', models.CharField(max_length=253)),
                ('team', models.CharField(blank=True, help_text="the queue's owner at that time; blank unknown", max_length=80)),
                ('workload', models.CharField(blank=True, max_length=16)),
                ('queued', models.BigIntegerField(null=True)),
                ('pool_hour', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='queued', to='telemetry.poolhour')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pool_hour', 'cluster_queue'), name='one_queued_per_hour_and_queue'), models.CheckConstraint(condition=models.Q(('queued__gte', 0)), name='hour_queued_is_not_negative')],
            },
        ),
    ]
