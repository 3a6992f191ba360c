"""Which releases of a product make a draft of news."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0025_readings'),
    ]

    operations = [
        migrations.AddField(
            model_name='product',
            name='announced',
            field=models.CharField(choices=[('stable', 'stable releases'), ('all', 'every release'), ('none', 'none')], default='stable', help_text='When one of them is published, the editors find a draft announcement of it.', max_length=6, verbose_name='drafts of news for'),
        ),
    ]
