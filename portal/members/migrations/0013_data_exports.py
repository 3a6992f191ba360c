import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("members", "0012_renewal_stops"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DataExport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name="key")),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="asked for")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("claimed_at", models.DateTimeField(blank=True, null=True, verbose_name="last sign of life")),
                ("steps_done", models.PositiveIntegerField(default=0, verbose_name="parts made")),
                ("steps", models.PositiveIntegerField(default=0, verbose_name="parts")),
                ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                ("failed_at", models.DateTimeField(blank=True, null=True, verbose_name="given up")),
                ("size", models.BigIntegerField(default=0, verbose_name="size in bytes")),
                ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="kept until")),
                ("asked_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="asked for by")),
                ("organisation", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="data_exports", to="members.organisation", verbose_name="organisation")),
            ],
            options={
                "verbose_name": "data export",
                "verbose_name_plural": "data exports",
                "ordering": ["-asked_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("failed_at__isnull", True), ("finished_at__isnull", True)), fields=("organisation",), name="data_export_waits_once"),
                    models.CheckConstraint(condition=models.Q(("finished_at__isnull", True), ("failed_at__isnull", True), _connector="OR"), name="data_export_made_or_not"),
                    models.CheckConstraint(condition=models.Q(models.Q(("failed_at__isnull", True), ("finished_at__isnull", True)), ("expires_at__isnull", False), _connector="OR"), name="data_export_is_kept_for_a_time"),
                    models.CheckConstraint(condition=models.Q(("steps_done__lte", models.F("steps"))), name="data_export_steps_add_up"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DataExportPiece",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField(verbose_name="place")),
                ("content", models.BinaryField(verbose_name="content")),
                ("export", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="pieces", to="members.dataexport", verbose_name="export")),
            ],
            options={
                "verbose_name": "piece of a data export",
                "verbose_name_plural": "pieces of data exports",
                "constraints": [
                    models.UniqueConstraint(fields=("export", "place"), name="data_export_piece_once"),
                ],
            },
        ),
    ]
