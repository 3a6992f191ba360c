import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("members", "0011_term_lines"),
        ("payments", "0009_event_orders"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RenewalStop",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("stopped_at", models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="stopped")),
                ("told_at", models.DateTimeField(blank=True, help_text="It takes no more money since then.", null=True, verbose_name="provider told")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="taken back")),
                ("stopped_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="stopped by")),
                ("subscription", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="renewal_stops", to="payments.subscription", verbose_name="subscription")),
                ("undone_by", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="taken back by")),
            ],
            options={
                "verbose_name": "end of an automatic renewal",
                "verbose_name_plural": "ends of automatic renewals",
                "ordering": ["-stopped_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("undone_at__isnull", True)), fields=("subscription",), name="renewal_stopped_once"),
                    models.CheckConstraint(condition=models.Q(("undone_at__isnull", True), ("undone_at__gte", models.F("stopped_at")), _connector="OR"), name="renewal_stop_undone_later"),
                ],
            },
        ),
    ]
