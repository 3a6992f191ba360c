import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Rules of notice and of absent voters, a reason for short notice, the meeting of a vote."""

    dependencies = [("governance", "0015_affirmations")]

    operations = [
        migrations.AddField(
            model_name="ruleset",
            name="meeting_notice_days",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="0: none is asked.",
                verbose_name="days of notice before a meeting",
            ),
        ),
        migrations.AddField(
            model_name="ruleset",
            name="absent_may_vote",
            field=models.BooleanField(
                default=False,
                help_text="By a proxy, or in writing beforehand; it counts like a vote in the room.",
                verbose_name="who is absent from a meeting may vote in it",
            ),
        ),
        migrations.AddField(
            model_name="ruleset",
            name="meeting_clause",
            field=models.CharField(
                blank=True, max_length=40, verbose_name="clause of meetings"
            ),
        ),
        migrations.AddField(
            model_name="meeting",
            name="short_notice_because",
            field=models.CharField(
                blank=True,
                help_text="Public, beside the notice.",
                max_length=300,
                verbose_name="why the notice is shorter than the rules ask",
            ),
        ),
        migrations.AddField(
            model_name="motion",
            name="meeting",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="voted_on",
                to="governance.meeting",
                verbose_name="voted on in",
            ),
        ),
        migrations.AddConstraint(
            model_name="motion",
            constraint=models.CheckConstraint(
                condition=Q(meeting__isnull=True) | Q(way="meeting"),
                name="motion_names_the_meeting_of_its_vote",
            ),
        ),
    ]
