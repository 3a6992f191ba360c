from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("members", "0006_benefits")]

    operations = [
        migrations.AddField(
            model_name="organisation",
            name="address",
            field=models.TextField(blank=True, max_length=300, verbose_name="postal address"),
        ),
        migrations.AddField(
            model_name="organisation",
            name="invoice_email",
            field=models.EmailField(blank=True, max_length=254, verbose_name="e-mail for invoices"),
        ),
        migrations.AddField(
            model_name="organisation",
            name="notices_email",
            field=models.EmailField(blank=True, max_length=254, verbose_name="e-mail for security notices"),
        ),
    ]
