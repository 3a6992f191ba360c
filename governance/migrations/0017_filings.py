import django.db.models.deletion
from django.db import migrations, models

APPEND_ONLY = """
CREATE TRIGGER governance_filing_append_only
    BEFORE UPDATE OR DELETE ON governance_filing
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();
"""
CHANGEABLE = "DROP TRIGGER governance_filing_append_only ON governance_filing;"


class Migration(migrations.Migration):
    dependencies = [("governance", "0016_meetings_have_rules_and_votes")]

    operations = [
        migrations.CreateModel(
            name="Filing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("filed_at", models.DateTimeField(verbose_name="filed")),
                (
                    "consent",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="filing",
                        to="governance.consent",
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="filings",
                        to="governance.meeting",
                    ),
                ),
            ],
            options={
                "verbose_name": "filing of a consent",
                "verbose_name_plural": "filings of consents",
                "ordering": ["consent__effective_at", "pk"],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, CHANGEABLE),
    ]
