from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0022_outings'),
    ]

    operations = [
        migrations.AddField(
            model_name='agendaitem',
            name='salt',
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
    ]
