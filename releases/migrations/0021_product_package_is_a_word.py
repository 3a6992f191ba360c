"""The package to install is one plain word."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0020_renewal_alarms'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='product',
            constraint=models.CheckConstraint(condition=models.Q(('package', ''), ('package__regex', '^[A-Za-z0-9][A-Za-z0-9+._-]*$'), _connector='OR'), name='product_package_is_a_word'),
        ),
    ]
