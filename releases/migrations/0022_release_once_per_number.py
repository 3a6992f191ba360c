"""A series has each number once, however it is written: 12.3 and 12.3.0 are the same."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0021_product_package_is_a_word'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(fields=('series', 'ordering'), name='release_once_per_number'),
        ),
    ]
