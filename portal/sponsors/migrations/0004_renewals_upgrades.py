import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("members", "0011_term_lines"),
        ("sponsors", "0003_payment_choice_renewals"),
    ]

    operations = [
        migrations.AddField(
            model_name="application",
            name="replaces",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="upgrades", to="members.term", verbose_name="takes the place of"),
        ),
        migrations.RemoveConstraint(model_name="application", name="application_renews_for_somebody"),
        migrations.RemoveConstraint(model_name="application", name="application_renews_a_term_once"),
        migrations.AddConstraint(
            model_name="application",
            constraint=models.CheckConstraint(condition=models.Q(models.Q(("renews__isnull", True), ("replaces__isnull", True)), ("organisation__isnull", False), _connector="OR"), name="application_renews_for_somebody"),
        ),
        migrations.AddConstraint(
            model_name="application",
            constraint=models.CheckConstraint(condition=models.Q(("renews__isnull", True), ("replaces__isnull", True), _connector="OR"), name="application_renews_or_replaces"),
        ),
        migrations.AddConstraint(
            model_name="application",
            constraint=models.UniqueConstraint(condition=models.Q(("state__in", ["review", "payment"])), fields=("renews",), name="application_renews_a_term_once"),
        ),
        migrations.AddConstraint(
            model_name="application",
            constraint=models.UniqueConstraint(condition=models.Q(("state__in", ["review", "payment"])), fields=("replaces",), name="application_replaces_a_term_once"),
        ),
    ]
