import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    """Orders say what of them is tax; those of before had none."""

    dependencies = [("payments", "0004_customers_subscriptions_coupons")]

    operations = [
        migrations.AddField(
            model_name='order',
            name='billing_country',
            field=models.CharField(blank=True, max_length=2, verbose_name='country'),
        ),
        migrations.AddField(
            model_name='order',
            name='billing_vat_number',
            field=models.CharField(blank=True, max_length=20, verbose_name='VAT number'),
        ),
        migrations.AddField(
            model_name='order',
            name='discount_minor',
            field=models.BigIntegerField(default=0, verbose_name='discount in minor units'),
        ),
        migrations.AddField(
            model_name='order',
            name='net_minor',
            field=models.BigIntegerField(default=0, verbose_name='net in minor units'),
            preserve_default=False,
        ),
        migrations.RunSQL(
            "UPDATE payments_order SET net_minor = amount_minor", migrations.RunSQL.noop
        ),
        migrations.AddField(
            model_name='order',
            name='tax_minor',
            field=models.BigIntegerField(default=0, verbose_name='VAT in minor units'),
        ),
        migrations.AddField(
            model_name='order',
            name='tax_note',
            field=models.CharField(blank=True, max_length=200, verbose_name='remark on VAT'),
        ),
        migrations.AddField(
            model_name='order',
            name='tax_rate_bp',
            field=models.PositiveIntegerField(default=0, verbose_name='VAT rate in hundredths of a per cent'),
        ),
        migrations.AddField(
            model_name='order',
            name='tax_treatment',
            field=models.CharField(choices=[('untaxed', 'no VAT'), ('domestic', "VAT of the seller's country"), ('union_consumer', "VAT of the seller's country, buyer without a number"), ('reverse_charge', 'reverse charge'), ('outside', 'outside the European Union')], default='untaxed', max_length=20, verbose_name='VAT'),
        ),
        migrations.AlterField(
            model_name='order',
            name='state',
            field=models.CharField(choices=[('open', 'open'), ('short', 'paid too little'), ('paid', 'paid'), ('partly_refunded', 'refunded in part'), ('refunded', 'refunded'), ('disputed', "taken back by the payer's bank")], default='open', max_length=20, verbose_name='state'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor', django.db.models.expressions.CombinedExpression(models.F('net_minor'), '+', models.F('tax_minor'))), ('discount_minor__gte', 0), ('net_minor__gt', 0), ('tax_minor__gte', 0)), name='order_sums_up'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('tax_minor', 0), ('tax_rate_bp__gt', 0), _connector='OR'), name='order_tax_has_rate'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('discount_minor', 0), ('coupon__isnull', False), _connector='OR'), name='order_discount_has_coupon'),
        ),
    ]
