"""Garbage collections, and what each removed."""


from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("releases", "0018_schedule_notes_what_was_looked_at"),
    ]

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField(verbose_name="started")),
                ("finished_at", models.DateTimeField(null=True, verbose_name="finished")),
                (
                    "publications",
                    models.PositiveIntegerField(
                        default=0, verbose_name="publications without their indices"
                    ),
                ),
                ("files", models.PositiveIntegerField(default=0, verbose_name="files")),
                ("size", models.BigIntegerField(default=0, verbose_name="bytes")),
            ],
            options={
                "verbose_name": "garbage collection",
                "verbose_name_plural": "garbage collections",
                "ordering": ["-started_at"],
            },
        ),
    ]
