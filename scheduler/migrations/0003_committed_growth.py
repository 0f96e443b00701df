import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reservations', '0006_allocate_scope'),
        ('scheduler', '0002_kept_scenarios'),
    ]

    operations = [
        migrations.CreateModel(
            name='CommittedGrowth',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('period', django.contrib.postgres.fields.ranges.DateRangeField(help_text='UTC days, half-open; without an end the line stays open')),
                ('workload', models.CharField(blank=True, max_length=16)),
                ('nodes', models.DecimalField(decimal_places=4, max_digits=10)),
                ('source', models.CharField(blank=True, help_text='who committed to it, and where that stands', max_length=200)),
                ('entered_by', models.CharField(blank=True, max_length=150)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='reservations.pool')),
            ],
            options={
                'verbose_name_plural': 'committed growth',
                'ordering': ('pool', 'period', 'name'),
                'constraints': [django.contrib.postgres.constraints.ExclusionConstraint(expressions=[(models.Func(models.F('pool_id'), models.F('pool_id'), models.Value('[]'), function='int8range'), '&&'), (models.Func(models.Func(models.F('name'), function='hashtext'), models.Func(models.F('name'), function='hashtext'), models.Value('[]'), function='int8range'), '&&'), ('period', '&&')], name='one_growth_of_a_name_at_a_time'), models.CheckConstraint(condition=models.Q(('nodes__gte', -100000), ('nodes__lte', 100000), models.Q(('nodes', 0), _negated=True)), name='growth_adds_or_takes_nodes'), models.CheckConstraint(condition=models.Q(('period__isempty', False), ('period__startswith__isnull', False)), name='growth_has_a_first_day'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='growth_has_a_name')],
            },
        ),
    ]
