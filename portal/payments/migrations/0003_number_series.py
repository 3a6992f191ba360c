from django.db import migrations, models


def take_receipts(apps, schema_editor):
    series = apps.get_model("payments", "NumberSeries")
    for counter in apps.get_model("payments", "ReceiptCounter").objects.all():
        series.objects.create(kind="receipt", year=counter.year, last=counter.last)


def give_receipts_back(apps, schema_editor):
    counter = apps.get_model("payments", "ReceiptCounter")
    for series in apps.get_model("payments", "NumberSeries").objects.filter(kind="receipt"):
        counter.objects.create(year=series.year, last=series.last)


class Migration(migrations.Migration):
    """Receipts, invoices and credit notes count in one table."""

    dependencies = [("payments", "0002_ledger_append_only")]

    operations = [
        migrations.CreateModel(
            name="NumberSeries",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("receipt", "receipts"), ("invoice", "invoices"), ("credit_note", "credit notes")], max_length=12, verbose_name="kind")),
                ("year", models.PositiveSmallIntegerField(verbose_name="year")),
                ("last", models.PositiveIntegerField(default=0, verbose_name="last number")),
            ],
            options={
                "verbose_name": "series of numbers",
                "verbose_name_plural": "series of numbers",
                "ordering": ["kind", "-year"],
                "constraints": [models.UniqueConstraint(fields=("kind", "year"), name="number_series_once")],
            },
        ),
        migrations.RunPython(take_receipts, give_receipts_back),
        migrations.DeleteModel(name="ReceiptCounter"),
    ]
