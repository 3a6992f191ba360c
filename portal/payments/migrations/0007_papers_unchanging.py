from django.db import migrations

KEPT = {
    "payments_invoice": ["number", "order_id", "issued_at", "due_at", "seller_lines"],
    "payments_creditnote": [
        *("number", "order_id", "entry_id", "issued_at", "seller_lines"),
        *("net_minor", "tax_minor", "currency"),
    ],
}
FUNCTION = """
CREATE FUNCTION payments_paper_unchanging() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.pdf IS NULL THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.pdf = OLD.pdf AND NEW.pdf_sha256 = OLD.pdf_sha256 THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a numbered paper is kept as it was issued';
END $$;
"""
TRIGGERS = """
CREATE TRIGGER {table}_file BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION payments_paper_unchanging();
CREATE TRIGGER {table}_words BEFORE UPDATE ON {table}
    FOR EACH ROW WHEN (({old}) IS DISTINCT FROM ({new}))
    EXECUTE FUNCTION payments_paper_refuse();
"""
REFUSE = """
CREATE FUNCTION payments_paper_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a numbered paper is kept as it was issued';
END $$;
"""


def _triggers(table):
    columns = KEPT[table]
    return TRIGGERS.format(
        table=table,
        old=", ".join(f"OLD.{column}" for column in columns),
        new=", ".join(f"NEW.{column}" for column in columns),
    )


FORWARD = FUNCTION + REFUSE + "".join(_triggers(table) for table in KEPT)
BACKWARD = (
    "".join(
        f"DROP TRIGGER {table}_file ON {table}; DROP TRIGGER {table}_words ON {table};"
        for table in KEPT
    )
    + "DROP FUNCTION payments_paper_unchanging(); DROP FUNCTION payments_paper_refuse();"
)


class Migration(migrations.Migration):
    """The database keeps invoices and credit notes as they were issued."""

    dependencies = [("payments", "0006_invoices_disputes")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
