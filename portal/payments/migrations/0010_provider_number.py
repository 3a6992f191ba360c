from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("payments", "0009_event_orders")]

    operations = [
        migrations.AddField(
            model_name="invoice",
            name="provider_number",
            field=models.CharField(blank=True, default="", help_text="Ours, unless that was taken there. A transfer may name either.", max_length=255, verbose_name="number at the provider"),
            preserve_default=False,
        ),
    ]
