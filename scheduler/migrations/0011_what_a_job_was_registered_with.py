from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scheduler', '0010_nodes_of_a_renewal_are_told'),
    ]

    operations = [
        migrations.AddField(
            model_name='endingjob',
            name='content_sha256',
            field=models.CharField(default='', help_text='of what it was registered with, the secret aside', max_length=64),
            preserve_default=False,
        ),
    ]
