import django.db.models.deletion
from django.db import migrations, models

FUNCTION = """
CREATE OR REPLACE FUNCTION governance_pinned_rule_set_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF {pinned} THEN
        RAISE EXCEPTION 'rule set % decided motions and stays as it is', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
"""
BY_MOTION = "EXISTS (SELECT FROM governance_motion WHERE rule_set_id = OLD.id)"
BY_CONSENSUS = "EXISTS (SELECT FROM governance_consensus WHERE rule_set_id = OLD.id)"
KNOWN = """
UPDATE governance_consensus SET rule_set_id = motion.rule_set_id
    FROM governance_motion motion WHERE motion.id = governance_consensus.motion_id
    AND governance_consensus.state = 'reached' AND governance_consensus.rule_set_id IS NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("governance", "0018_record_marks")]

    operations = [
        migrations.AddField(
            model_name="consensus",
            name="rule_set",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="consensuses",
                to="governance.ruleset",
                verbose_name="decided by",
            ),
        ),
        migrations.RunSQL(KNOWN, migrations.RunSQL.noop),
        migrations.RunSQL(
            FUNCTION.format(pinned=f"{BY_MOTION} OR {BY_CONSENSUS}"),
            FUNCTION.format(pinned=BY_MOTION),
        ),
    ]
