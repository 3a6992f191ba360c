import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("members", "0007_organisation_details"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Cancellation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField(blank=True, max_length=1000, verbose_name="reason")),
                ("cancelled_at", models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="cancelled")),
                ("ends_renewal", models.BooleanField(default=False, help_text="It renewed by itself; taking the cancellation back lets it again.", verbose_name="ended the renewal")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="taken back")),
                ("cancelled_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="cancelled by")),
                ("term", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="cancellations", to="members.term", verbose_name="term")),
                ("undone_by", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="taken back by")),
            ],
            options={
                "verbose_name": "cancellation",
                "verbose_name_plural": "cancellations",
                "ordering": ["-cancelled_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("undone_at__isnull", True)), fields=("term",), name="cancellation_of_term_once"),
                    models.CheckConstraint(condition=models.Q(("undone_at__isnull", True), ("undone_at__gte", models.F("cancelled_at")), _connector="OR"), name="cancellation_undone_later"),
                ],
            },
        ),
    ]
