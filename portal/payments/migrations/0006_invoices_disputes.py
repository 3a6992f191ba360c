import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Invoices, credit notes, disputes with their entries, charges that failed."""

    dependencies = [("payments", "0005_order_tax")]

    operations = [
        migrations.CreateModel(
            name='CreditNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(editable=False, max_length=20, unique=True, verbose_name='number')),
                ('issued_at', models.DateTimeField(editable=False, verbose_name='issued')),
                ('seller_lines', models.TextField(editable=False, verbose_name='who issued it')),
                ('pdf', models.BinaryField(null=True, verbose_name='file')),
                ('pdf_sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256 of the file')),
                ('net_minor', models.BigIntegerField(verbose_name='net in minor units')),
                ('tax_minor', models.BigIntegerField(verbose_name='tax in minor units')),
                ('currency', models.CharField(choices=[('EUR', 'EUR'), ('USD', 'USD'), ('GBP', 'GBP'), ('CHF', 'CHF'), ('SEK', 'SEK'), ('JPY', 'JPY')], max_length=3, verbose_name='currency')),
                ('annulled_at', models.DateTimeField(blank=True, help_text='The refund came back.', null=True, verbose_name='annulled')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
            ],
            options={
                'verbose_name': 'credit note',
                'verbose_name_plural': 'credit notes',
                'ordering': ['-issued_at', '-pk'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('dispute_id', models.CharField(max_length=255, verbose_name='dispute')),
                ('state', models.CharField(choices=[('warning_needs_response', 'the bank asks, an answer is due'), ('warning_under_review', 'the bank asks, answered'), ('needs_response', 'an answer is due'), ('under_review', 'answered, the bank decides'), ('warning_closed', "the bank's question is closed"), ('prevented', 'prevented'), ('won', 'won'), ('lost', 'lost')], max_length=30, verbose_name='state')),
                ('reason', models.CharField(max_length=60, verbose_name='reason')),
                ('amount_minor', models.BigIntegerField(verbose_name='amount in minor units')),
                ('currency', models.CharField(choices=[('EUR', 'EUR'), ('USD', 'USD'), ('GBP', 'GBP'), ('CHF', 'CHF'), ('SEK', 'SEK'), ('JPY', 'JPY')], max_length=3, verbose_name='currency')),
                ('evidence_due_at', models.DateTimeField(blank=True, null=True, verbose_name='answer due')),
                ('opened_at', models.DateTimeField(verbose_name='opened')),
                ('told_at', models.DateTimeField(help_text="By the provider's clock.", verbose_name='newest news')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
            ],
            options={
                'verbose_name': 'dispute',
                'verbose_name_plural': 'disputes',
                'ordering': ['-opened_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='FailedCharge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('provider_invoice_id', models.CharField(max_length=255, verbose_name="provider's invoice")),
                ('attempt', models.PositiveSmallIntegerField(verbose_name='attempt')),
                ('amount_minor', models.BigIntegerField(verbose_name='amount in minor units')),
                ('currency', models.CharField(choices=[('EUR', 'EUR'), ('USD', 'USD'), ('GBP', 'GBP'), ('CHF', 'CHF'), ('SEK', 'SEK'), ('JPY', 'JPY')], max_length=3, verbose_name='currency')),
                ('failed_at', models.DateTimeField(verbose_name='failed')),
                ('next_attempt_at', models.DateTimeField(blank=True, null=True, verbose_name='tried again')),
                ('pay_url', models.URLField(blank=True, max_length=2000, verbose_name='address to pay at')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
            ],
            options={
                'verbose_name': 'failed charge',
                'verbose_name_plural': 'failed charges',
                'ordering': ['-failed_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Invoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(editable=False, max_length=20, unique=True, verbose_name='number')),
                ('issued_at', models.DateTimeField(editable=False, verbose_name='issued')),
                ('seller_lines', models.TextField(editable=False, verbose_name='who issued it')),
                ('pdf', models.BinaryField(null=True, verbose_name='file')),
                ('pdf_sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256 of the file')),
                ('due_at', models.DateTimeField(verbose_name='due')),
                ('provider', models.CharField(blank=True, max_length=20, verbose_name='provider')),
                ('provider_invoice_id', models.CharField(blank=True, max_length=255, verbose_name="provider's invoice")),
                ('hosted_url', models.URLField(blank=True, max_length=2000, verbose_name='address to pay at')),
                ('voided_at', models.DateTimeField(blank=True, null=True, verbose_name='void since')),
            ],
            options={
                'verbose_name': 'invoice',
                'verbose_name_plural': 'invoices',
                'ordering': ['-issued_at', '-pk'],
                'abstract': False,
            },
        ),
        migrations.RemoveConstraint(
            model_name='ledgerentry',
            name='ledger_sign_matches_kind',
        ),
        migrations.AlterField(
            model_name='ledgerentry',
            name='kind',
            field=models.CharField(choices=[('payment', 'payment'), ('refund', 'refund'), ('refund_returned', 'refund that came back'), ('dispute', "taken back by the payer's bank"), ('dispute_returned', "returned by the payer's bank")], max_length=20, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount_minor__lt', 0), ('kind__in', ['refund', 'dispute'])), models.Q(models.Q(('kind__in', ['refund', 'dispute']), _negated=True), ('amount_minor__gt', 0)), _connector='OR'), name='ledger_sign_matches_kind'),
        ),
        migrations.AddField(
            model_name='creditnote',
            name='entry',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='credit_note', to='payments.ledgerentry', verbose_name='refund'),
        ),
        migrations.AddField(
            model_name='creditnote',
            name='order',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credit_notes', to='payments.order', verbose_name='order'),
        ),
        migrations.AddField(
            model_name='dispute',
            name='order',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='payments.order', verbose_name='order'),
        ),
        migrations.AddField(
            model_name='failedcharge',
            name='order',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='failed_charges', to='payments.order', verbose_name='order'),
        ),
        migrations.AddField(
            model_name='invoice',
            name='order',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invoices', to='payments.order', verbose_name='order'),
        ),
        migrations.AddField(
            model_name='failedcharge',
            name='subscription',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='failed_charges', to='payments.subscription', verbose_name='subscription'),
        ),
        migrations.AddConstraint(
            model_name='creditnote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('pdf__isnull', True), ('pdf_sha256', '')), models.Q(('pdf__isnull', False), models.Q(('pdf_sha256', ''), _negated=True)), _connector='OR'), name='creditnote_file_has_digest'),
        ),
        migrations.AddConstraint(
            model_name='creditnote',
            constraint=models.CheckConstraint(condition=models.Q(('net_minor__gte', 0), ('tax_minor__gte', 0)), name='credit_note_gives_back'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.UniqueConstraint(fields=('provider', 'dispute_id'), name='dispute_once'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0)), name='dispute_is_about_something'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(('currency__in', ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'JPY'])), name='dispute_currency_known'),
        ),
        migrations.AddConstraint(
            model_name='invoice',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('pdf__isnull', True), ('pdf_sha256', '')), models.Q(('pdf__isnull', False), models.Q(('pdf_sha256', ''), _negated=True)), _connector='OR'), name='invoice_file_has_digest'),
        ),
        migrations.AddConstraint(
            model_name='invoice',
            constraint=models.UniqueConstraint(condition=models.Q(('voided_at__isnull', True)), fields=('order',), name='invoice_of_order_once'),
        ),
        migrations.AddConstraint(
            model_name='invoice',
            constraint=models.UniqueConstraint(condition=models.Q(('provider_invoice_id', ''), _negated=True), fields=('provider', 'provider_invoice_id'), name='invoice_of_provider_once'),
        ),
        migrations.AddConstraint(
            model_name='invoice',
            constraint=models.CheckConstraint(condition=models.Q(('due_at__gte', models.F('issued_at'))), name='invoice_due_after_issue'),
        ),
        migrations.AddConstraint(
            model_name='failedcharge',
            constraint=models.UniqueConstraint(fields=('provider', 'provider_invoice_id', 'attempt'), name='failed_charge_once'),
        ),
        migrations.AddConstraint(
            model_name='failedcharge',
            constraint=models.CheckConstraint(condition=models.Q(('order__isnull', False), ('subscription__isnull', False), _connector='OR'), name='failed_charge_is_of_somebody'),
        ),
    ]
