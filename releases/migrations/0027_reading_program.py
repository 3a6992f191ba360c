"""Which package manager read a repository too."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0026_product_announced'),
    ]

    operations = [
        migrations.AddField(
            model_name='reading',
            name='program',
            field=models.CharField(blank=True, max_length=20, verbose_name='package manager that read it too'),
        ),
    ]
