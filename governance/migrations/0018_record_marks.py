from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("governance", "0017_filings")]

    operations = [
        migrations.CreateModel(
            name="RecordMark",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(
                        default=1, primary_key=True, serialize=False
                    ),
                ),
                ("audit", models.BigIntegerField(verbose_name="entry of the audit log")),
            ],
            options={
                "verbose_name": "mark of the records",
                "verbose_name_plural": "marks of the records",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(id=1), name="record_mark_is_one"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="bundle",
            name="beside_sha256",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
    ]
