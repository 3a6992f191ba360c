import django.db.models.deletion
from django.db import migrations, models

FORWARD = """
CREATE TRIGGER governance_lot_stays
    BEFORE UPDATE OR DELETE ON governance_lot
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();
"""
BACKWARD = "DROP TRIGGER governance_lot_stays ON governance_lot;"


class Migration(migrations.Migration):
    dependencies = [("governance", "0006_every_rule")]
    operations = [
        migrations.CreateModel(
            name="Lot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ('nonce', models.CharField(help_text='32 bytes in hexadecimal.', max_length=64, verbose_name='nonce')),
                ('commitment', models.CharField(max_length=64, verbose_name='commitment')),
                ("motion", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='lot', to='governance.motion', verbose_name='motion')),
            ],
            options={"verbose_name": "lot", "verbose_name_plural": "lots"},
        ),
        migrations.AddField(
            model_name="rosterseat",
            name="constituency",
            field=models.CharField(blank=True, help_text='Asked by rules with a majority per constituency.', max_length=20, verbose_name='constituency'),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
