from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0007_papers_unchanging'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='ledgerentry',
            name='ledger_sign_matches_kind',
        ),
        migrations.RemoveConstraint(
            model_name='order',
            name='order_paid_has_receipt',
        ),
        migrations.AlterField(
            model_name='ledgerentry',
            name='kind',
            field=models.CharField(choices=[('payment', 'payment'), ('refund', 'refund'), ('refund_returned', 'refund that came back'), ('dispute', "taken back by the payer's bank"), ('dispute_returned', "returned by the payer's bank"), ('correction', 'correction of a payment')], max_length=20, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount_minor__lt', 0), ('kind__in', ['refund', 'dispute', 'correction'])), models.Q(models.Q(('kind__in', ['refund', 'dispute', 'correction']), _negated=True), ('amount_minor__gt', 0)), _connector='OR'), name='ledger_sign_matches_kind'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('paid_at__isnull', True), models.Q(('receipt_number', ''), _negated=True), _connector='OR'), name='order_paid_has_receipt'),
        ),
    ]
