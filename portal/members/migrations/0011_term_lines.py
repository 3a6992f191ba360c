import uuid
from datetime import timedelta

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def fill(apps, schema_editor):
    """Every term so far is the first of its line, as long as its tier is now."""
    grace = timedelta(days=settings.RENEWAL_GRACE_DAYS)
    for term in apps.get_model("members", "Term").objects.select_related("tier"):
        term.line = uuid.uuid4()
        term.months = term.tier.months
        term.grace_until = term.ends_at + grace
        term.save(update_fields=["line", "months", "grace_until"])


class Migration(migrations.Migration):

    dependencies = [("members", "0010_benefit_use_taken_back")]

    operations = [
        migrations.AddField(
            model_name="term",
            name="line",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="term",
            name="renews",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="renewed_by", to="members.term", verbose_name="renews"),
        ),
        migrations.AddField(
            model_name="term",
            name="is_upgrade",
            field=models.BooleanField(default=False, verbose_name="took the place of what ran before"),
        ),
        migrations.AddField(
            model_name="term",
            name="months",
            field=models.PositiveSmallIntegerField(default=12, verbose_name="months as bought"),
        ),
        migrations.AddField(
            model_name="term",
            name="grace_until",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="term",
            name="line",
            field=models.UUIDField(default=uuid.uuid4, help_text="Terms that renew each other share it.", verbose_name="line"),
        ),
        migrations.AlterField(
            model_name="term",
            name="grace_until",
            field=models.DateTimeField(help_text="The end of the grace, unless it is renewed or cancelled.", verbose_name="shown until"),
        ),
        migrations.AddConstraint(
            model_name="term",
            constraint=models.CheckConstraint(condition=models.Q(("grace_until__gte", models.F("ends_at"))), name="term_grace_after_end"),
        ),
        migrations.AddIndex(
            model_name="term",
            index=models.Index(fields=["line"], name="term_of_line"),
        ),
        migrations.AddIndex(
            model_name="term",
            index=models.Index(fields=["grace_until"], name="term_shown_until"),
        ),
    ]
