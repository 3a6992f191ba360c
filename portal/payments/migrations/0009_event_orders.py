from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("payments", "0008_corrections")]

    operations = [
        migrations.AddField(
            model_name='providerevent',
            name='orders',
            field=models.ManyToManyField(blank=True, related_name='events', to='payments.order', verbose_name='orders'),
        ),
    ]
