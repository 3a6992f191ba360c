"""Which versions a server told before the catalogue had them, so that a doubt can end.

Of weeks from before only the last version is known: it stands for all that were told.
"""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feedback", "0011_facts_in_less_room"),
    ]

    operations = [
        migrations.AddField(
            model_name="serverweek",
            name="unreleased",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=20),
                help_text="Versions that it told and that had not come out: see actions/doubt.py.",
                null=True,
                size=None,
                verbose_name="versions ahead of the catalogue",
            ),
        ),
        migrations.AddIndex(
            model_name="serverweek",
            index=models.Index(
                condition=models.Q(("unreleased__isnull", False)),
                fields=["week"],
                name="server_week_unreleased",
            ),
        ),
        migrations.RunSQL(
            "UPDATE feedback_serverweek SET unreleased = ARRAY[version] WHERE doubts & 8 <> 0",
            migrations.RunSQL.noop,
        ),
    ]
