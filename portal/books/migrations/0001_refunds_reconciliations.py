import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('payments', '0009_event_orders'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Reconciliation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('since', models.DateTimeField(verbose_name='from')),
                ('until', models.DateTimeField(verbose_name='until')),
                ('movement_count', models.PositiveIntegerField(default=0, verbose_name='movements at the provider')),
                ('entry_count', models.PositiveIntegerField(default=0, verbose_name='ledger entries')),
                ('error', models.CharField(blank=True, max_length=300, verbose_name='why it could not be done')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='done')),
            ],
            options={
                'verbose_name': 'reconciliation',
                'verbose_name_plural': 'reconciliations',
                'ordering': ['-created_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('until__gt', models.F('since'))), name='reconciliation_spans_time')],
            },
        ),
        migrations.CreateModel(
            name='Difference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fault', models.CharField(choices=[('not_booked', 'not_booked'), ('not_there', 'not_there'), ('amount', 'amount')], max_length=20, verbose_name='fault')),
                ('kind', models.CharField(choices=[('payment', 'payment'), ('refund', 'refund'), ('refund_returned', 'refund that came back'), ('dispute', "taken back by the payer's bank"), ('dispute_returned', "returned by the payer's bank"), ('correction', 'correction of a payment')], max_length=20, verbose_name='kind')),
                ('ref', models.CharField(max_length=255, verbose_name="provider's reference")),
                ('at', models.DateTimeField(verbose_name='when')),
                ('theirs_minor', models.BigIntegerField(null=True, verbose_name='at the provider')),
                ('theirs_currency', models.CharField(blank=True, max_length=3, verbose_name='currency there')),
                ('ours_minor', models.BigIntegerField(null=True, verbose_name='in the ledger')),
                ('ours_currency', models.CharField(blank=True, max_length=3, verbose_name='currency here')),
                ('description', models.CharField(blank=True, max_length=200, verbose_name='description')),
                ('order', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payments.order', verbose_name='order')),
                ('reconciliation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='differences', to='books.reconciliation', verbose_name='reconciliation')),
            ],
            options={
                'verbose_name': 'difference',
                'verbose_name_plural': 'differences',
                'ordering': ['-at', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('theirs_minor__isnull', False), ('ours_minor__isnull', False), _connector='OR'), name='difference_is_about_money')],
            },
        ),
        migrations.CreateModel(
            name='RefundRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='key')),
                ('amount_minor', models.BigIntegerField(verbose_name='amount in minor units')),
                ('currency', models.CharField(choices=[('EUR', 'EUR'), ('USD', 'USD'), ('GBP', 'GBP'), ('CHF', 'CHF'), ('SEK', 'SEK'), ('JPY', 'JPY')], max_length=3, verbose_name='currency')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='asked for')),
                ('refund_id', models.CharField(blank=True, max_length=255, verbose_name='refund at the provider')),
                ('refused_at', models.DateTimeField(blank=True, null=True, verbose_name='refused')),
                ('last_error', models.CharField(blank=True, max_length=300, verbose_name='what the provider said')),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='asked for by')),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refund_requests', to='payments.order', verbose_name='order')),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refund_requests', to='payments.ledgerentry', verbose_name='payment')),
            ],
            options={
                'verbose_name': 'refund asked for',
                'verbose_name_plural': 'refunds asked for',
                'ordering': ['-asked_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0)), name='refund_gives_something'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='refund_has_reason'), models.CheckConstraint(condition=models.Q(('refund_id', ''), ('refused_at__isnull', True), _connector='OR'), name='refund_sent_or_refused')],
            },
        ),
    ]
