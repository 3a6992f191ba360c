from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.arithmetic import OrderState
from portal.payments.models.coupon import Coupon
from portal.payments.models.customer import Customer
from portal.payments.models.subscription import Subscription
from portal.payments.tax import Treatment


class OrderQuerySet(models.QuerySet["Order"]):
    def paid(self) -> OrderQuerySet:
        """Orders whose money is here, all or part of it."""
        return self.filter(state__in=[OrderState.PAID, OrderState.PARTLY_REFUNDED])

    def payable(self) -> OrderQuerySet:
        """Those that wait for their money."""
        return self.filter(state__in=[OrderState.OPEN, OrderState.SHORT], closed_at__isnull=True)

    def with_receipt(self) -> OrderQuerySet:
        """Paid ones; a payment that was corrected leaves its number with the order."""
        return self.filter(paid_at__isnull=False).exclude(receipt_number="")


class Order(models.Model):
    """What somebody is to pay, as it was agreed; `state` follows from the ledger alone.

    Payments point to nobody: whoever placed the order keeps the key to it.
    """

    STATES = [
        (OrderState.OPEN.value, _("open")),
        (OrderState.SHORT.value, _("paid too little")),
        (OrderState.PAID.value, _("paid")),
        (OrderState.PARTLY_REFUNDED.value, _("refunded in part")),
        (OrderState.REFUNDED.value, _("refunded")),
        (OrderState.DISPUTED.value, _("taken back by the payer's bank")),
    ]
    TREATMENTS = [
        (Treatment.UNTAXED.value, _("no VAT")),
        (Treatment.DOMESTIC.value, _("VAT of the seller's country")),
        (Treatment.UNION_CONSUMER.value, _("VAT of the seller's country, buyer without a number")),
        (Treatment.REVERSE_CHARGE.value, _("reverse charge")),
        (Treatment.OUTSIDE.value, _("outside the European Union")),
    ]

    reference = models.UUIDField(_("reference"), default=uuid.uuid4, unique=True, editable=False)
    description = models.CharField(_("description"), max_length=200)
    amount_minor = models.BigIntegerField(_("amount in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    discount_minor = models.BigIntegerField(_("discount in minor units"), default=0)
    net_minor = models.BigIntegerField(_("net in minor units"))
    tax_minor = models.BigIntegerField(_("VAT in minor units"), default=0)
    tax_rate_bp = models.PositiveIntegerField(_("VAT rate in hundredths of a per cent"), default=0)
    tax_treatment = models.CharField(
        _("VAT"), max_length=20, choices=TREATMENTS, default=Treatment.UNTAXED.value
    )
    tax_note = models.CharField(_("remark on VAT"), max_length=200, blank=True)
    billing_name = models.CharField(_("billing name"), max_length=200)
    billing_email = models.EmailField(_("billing e-mail"))
    billing_lines = models.TextField(_("billing details"), blank=True)
    billing_country = models.CharField(_("country"), max_length=2, blank=True)
    billing_vat_number = models.CharField(_("VAT number"), max_length=20, blank=True)
    coupon = models.ForeignKey(
        Coupon,
        verbose_name=_("coupon"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="orders",
    )
    customer = models.ForeignKey(
        Customer,
        verbose_name=_("customer"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="orders",
    )
    subscription = models.ForeignKey(
        Subscription,
        verbose_name=_("subscription"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="orders",
    )
    provider = models.CharField(_("provider"), max_length=20, blank=True)
    provider_invoice_id = models.CharField(_("provider's invoice"), max_length=255, blank=True)
    state = models.CharField(
        _("state"), max_length=20, choices=STATES, default=OrderState.OPEN.value
    )
    created_at = models.DateTimeField(_("placed"), default=timezone.now, editable=False)
    paid_at = models.DateTimeField(_("paid"), null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(
        _("closed"), null=True, blank=True, help_text=_("Since then nobody need pay it.")
    )
    receipt_number = models.CharField(_("receipt"), max_length=20, blank=True, editable=False)

    objects: ClassVar[models.Manager[Order]] = OrderQuerySet.as_manager()

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="order_costs_something"),
            models.CheckConstraint(
                condition=Q(currency__in=list(EXPONENTS)), name="order_currency_known"
            ),
            models.UniqueConstraint(
                fields=["receipt_number"], condition=~Q(receipt_number=""), name="receipt_once"
            ),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | ~Q(receipt_number=""),
                name="order_paid_has_receipt",
            ),
            models.CheckConstraint(
                condition=Q(amount_minor=F("net_minor") + F("tax_minor"))
                & Q(net_minor__gt=0, tax_minor__gte=0, discount_minor__gte=0),
                name="order_sums_up",
            ),
            models.CheckConstraint(
                condition=Q(tax_minor=0) | Q(tax_rate_bp__gt=0), name="order_tax_has_rate"
            ),
            models.CheckConstraint(
                condition=Q(discount_minor=0) | Q(coupon__isnull=False),
                name="order_discount_has_coupon",
            ),
            models.UniqueConstraint(
                fields=["provider", "provider_invoice_id"],
                condition=~Q(provider_invoice_id=""),
                name="order_of_provider_invoice_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.description}, {self.amount}"

    @property
    def amount(self) -> Money:
        return Money(self.amount_minor, self.currency)

    @property
    def net(self) -> Money:
        return Money(self.net_minor, self.currency)

    @property
    def tax(self) -> Money:
        return Money(self.tax_minor, self.currency)

    @property
    def discount(self) -> Money:
        return Money(self.discount_minor, self.currency)

    @property
    def was_paid(self) -> bool:
        """Whether it was ever paid in full, even when the money went back since."""
        return self.paid_at is not None
