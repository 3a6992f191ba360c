import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def begin_history(apps, schema_editor):
    """What is shown now was chosen when it came; who chose it was not kept."""
    Organisation = apps.get_model("members", "Organisation")
    LogoChange = apps.get_model("members", "LogoChange")
    for organisation in Organisation.objects.filter(logo__isnull=False).select_related("logo"):
        LogoChange.objects.create(
            organisation=organisation,
            logo=organisation.logo,
            changed_at=max(organisation.created_at, organisation.logo.added_at),
        )


class Migration(migrations.Migration):

    dependencies = [
        ("members", "0008_cancellations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LogoChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="changed")),
                ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                ("changed_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="changed by")),
                ("logo", models.ForeignKey(help_text="Empty: it was taken down.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name="changes", to="members.logo", verbose_name="logo")),
                ("organisation", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="logo_changes", to="members.organisation", verbose_name="organisation")),
            ],
            options={
                "verbose_name": "change of a logo",
                "verbose_name_plural": "changes of logos",
                "ordering": ["-changed_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("logo__isnull", False), models.Q(("reason", ""), _negated=True), _connector="OR"), name="logo_taken_down_with_reason"),
                ],
            },
        ),
        migrations.RunPython(begin_history, migrations.RunPython.noop),
    ]
