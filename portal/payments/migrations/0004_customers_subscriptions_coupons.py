import uuid

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Who pays, what renews, what lowers an order, and the names of payments."""

    dependencies = [("payments", "0003_number_series")]

    operations = [
        migrations.CreateModel(
            name='Coupon',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=40, unique=True, verbose_name='code')),
                ('percent', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='per cent')),
                ('amount_minor', models.BigIntegerField(blank=True, null=True, verbose_name='amount in minor units')),
                ('currency', models.CharField(blank=True, choices=[('EUR', 'EUR'), ('USD', 'USD'), ('GBP', 'GBP'), ('CHF', 'CHF'), ('SEK', 'SEK'), ('JPY', 'JPY')], max_length=3, verbose_name='currency')),
                ('valid_from', models.DateTimeField(default=django.utils.timezone.now, verbose_name='valid from')),
                ('valid_until', models.DateTimeField(blank=True, null=True, verbose_name='valid until')),
                ('uses', models.PositiveIntegerField(blank=True, null=True, verbose_name='how often, at most')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='what it is for')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
            ],
            options={
                'verbose_name': 'coupon',
                'verbose_name_plural': 'coupons',
                'ordering': ['code'],
            },
        ),
        migrations.CreateModel(
            name='Customer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='reference')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('customer_id', models.CharField(blank=True, max_length=255, verbose_name='customer')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
            ],
            options={
                'verbose_name': 'customer',
                'verbose_name_plural': 'customers',
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='PaymentAlias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('alias', models.CharField(max_length=255, verbose_name='name')),
                ('payment_ref', models.CharField(max_length=255, verbose_name='other name')),
            ],
            options={
                'verbose_name': 'name of a payment',
                'verbose_name_plural': 'names of payments',
                'ordering': ['provider', 'alias'],
            },
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='reference')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('subscription_id', models.CharField(blank=True, max_length=255, verbose_name='subscription')),
                ('description', models.CharField(max_length=200, verbose_name='description')),
                ('state', models.CharField(choices=[('pending', 'not begun'), ('incomplete', 'waits for the first payment'), ('trialing', 'in trial'), ('active', 'active'), ('past_due', 'payment failed, tried again'), ('paused', 'paused'), ('unpaid', 'unpaid'), ('incomplete_expired', 'never begun'), ('canceled', 'cancelled')], default='pending', max_length=20, verbose_name='state')),
                ('price_minor', models.BigIntegerField(verbose_name='price in minor units')),
                ('currency', models.CharField(choices=[('EUR', 'EUR'), ('USD', 'USD'), ('GBP', 'GBP'), ('CHF', 'CHF'), ('SEK', 'SEK'), ('JPY', 'JPY')], max_length=3, verbose_name='currency')),
                ('interval', models.CharField(choices=[('month', 'month'), ('year', 'year')], max_length=5, verbose_name='interval')),
                ('interval_count', models.PositiveSmallIntegerField(default=1, verbose_name='intervals in a period')),
                ('current_period_start', models.DateTimeField(blank=True, null=True, verbose_name='period began')),
                ('current_period_end', models.DateTimeField(blank=True, null=True, verbose_name='period ends')),
                ('cancel_at_period_end', models.BooleanField(default=False, verbose_name='ends with the period')),
                ('canceled_at', models.DateTimeField(blank=True, null=True, verbose_name='cancelled')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('told_at', models.DateTimeField(blank=True, help_text="By the provider's clock.", null=True, verbose_name='newest news')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
            ],
            options={
                'verbose_name': 'subscription',
                'verbose_name_plural': 'subscriptions',
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='order',
            name='closed_at',
            field=models.DateTimeField(blank=True, help_text='Since then nobody need pay it.', null=True, verbose_name='closed'),
        ),
        migrations.AddField(
            model_name='order',
            name='provider',
            field=models.CharField(blank=True, max_length=20, verbose_name='provider'),
        ),
        migrations.AddField(
            model_name='order',
            name='provider_invoice_id',
            field=models.CharField(blank=True, max_length=255, verbose_name="provider's invoice"),
        ),
        migrations.AddConstraint(
            model_name='coupon',
            constraint=models.CheckConstraint(condition=models.Q(('code', django.db.models.functions.text.Upper(models.F('code'))), models.Q(('code', ''), _negated=True)), name='coupon_code_upper'),
        ),
        migrations.AddConstraint(
            model_name='coupon',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount_minor__isnull', True), ('currency', ''), ('percent__isnull', False), ('percent__range', (1, 99))), models.Q(('amount_minor__gt', 0), ('amount_minor__isnull', False), ('currency__in', ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'JPY']), ('percent__isnull', True)), _connector='OR'), name='coupon_percent_or_amount'),
        ),
        migrations.AddConstraint(
            model_name='coupon',
            constraint=models.CheckConstraint(condition=models.Q(('valid_until__isnull', True), ('valid_until__gt', models.F('valid_from')), _connector='OR'), name='coupon_lasts'),
        ),
        migrations.AddField(
            model_name='order',
            name='coupon',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='payments.coupon', verbose_name='coupon'),
        ),
        migrations.AddConstraint(
            model_name='customer',
            constraint=models.UniqueConstraint(condition=models.Q(('customer_id', ''), _negated=True), fields=('provider', 'customer_id'), name='customer_once'),
        ),
        migrations.AddField(
            model_name='order',
            name='customer',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='payments.customer', verbose_name='customer'),
        ),
        migrations.AddIndex(
            model_name='paymentalias',
            index=models.Index(fields=['provider', 'payment_ref'], name='payment_alias_booked'),
        ),
        migrations.AddConstraint(
            model_name='paymentalias',
            constraint=models.UniqueConstraint(fields=('provider', 'alias', 'payment_ref'), name='payment_alias_once'),
        ),
        migrations.AddField(
            model_name='subscription',
            name='customer',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='subscriptions', to='payments.customer', verbose_name='customer'),
        ),
        migrations.AddField(
            model_name='order',
            name='subscription',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='payments.subscription', verbose_name='subscription'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.UniqueConstraint(condition=models.Q(('provider_invoice_id', ''), _negated=True), fields=('provider', 'provider_invoice_id'), name='order_of_provider_invoice_once'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(condition=models.Q(('subscription_id', ''), _negated=True), fields=('provider', 'subscription_id'), name='subscription_once'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('price_minor__gt', 0)), name='subscription_costs_something'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('currency__in', ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'JPY'])), name='subscription_currency_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('interval__in', ['month', 'year']), ('interval_count__gt', 0)), name='subscription_interval_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('current_period_end__isnull', True), ('current_period_end__gte', models.F('current_period_start')), _connector='OR'), name='subscription_period_lasts'),
        ),
    ]
