"""What a sign-up costs: price of the tier, coupon, VAT with the reason for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from portal.lib.money import Money
from portal.members.terms import add_months
from portal.payments.actions.coupon import redeem_coupon
from portal.payments.actions.order import Discount
from portal.payments.models import Order
from portal.payments.papers import percent
from portal.payments.tax import Taxed, Treatment
from portal.payments.taxation import taxed
from portal.sponsors.billing import billed
from portal.sponsors.models import Application


@dataclass(frozen=True, slots=True)
class Quote:
    """`price` - `discount` + VAT = `total`; the lines that a page shows."""

    price: Money
    discount: Money
    coupon: str
    tax: Money
    rate_bp: int
    treatment: Treatment
    vat_number: str

    @property
    def net(self) -> Money:
        return self.price - self.discount

    @property
    def total(self) -> Money:
        return self.net + self.tax

    @property
    def tax_label(self) -> str:
        return _("VAT %(rate)s") % {"rate": percent(self.rate_bp)}

    @property
    def reason(self) -> str:
        """Why this VAT, or none, in words for the one who pays."""
        return _REASONS[self.treatment]() % {"number": self.vat_number}


@dataclass(frozen=True, slots=True)
class NextCharge:
    """What is taken by itself, and when, if the first payment comes at a moment."""

    price: Money
    day: datetime
    months: int
    term_ends: datetime | None  # of a renewal, which begins where the term before it ends


def next_charge(application: Application, at: datetime) -> NextCharge:
    """The provider counts from the payment, also where the new term begins later."""
    months = application.tier.months
    renewed = application.renews
    ends = add_months(max(renewed.ends_at, at), months) if renewed is not None else None
    price = with_tax(application, None).total
    return NextCharge(price, add_months(at, months), months, ends)


_REASONS = {
    Treatment.UNTAXED: lambda: _("The foundation charges no VAT."),
    Treatment.DOMESTIC: lambda: _("You are in the country of the foundation: its VAT is added."),
    Treatment.UNION_CONSUMER: lambda: _(
        "You gave no VAT number, so the VAT of the foundation's country is added."
        " With a number of your country it is not."
    ),
    Treatment.REVERSE_CHARGE: lambda: _(
        "No VAT is added: you account for it in your country under %(number)s (reverse charge)."
    ),
    Treatment.OUTSIDE: lambda: _("No VAT is added: you are outside its territory."),
}


def quote(application: Application, at: datetime) -> Quote:
    """What it costs now; as it was agreed where the order is placed. Raises CouponError."""
    if application.order is not None:
        return of_order(application.order)
    with transaction.atomic():
        found = discount(application, at)
    return _quote(application, found, with_tax(application, found))


def of_order(order: Order) -> Quote:
    return Quote(
        price=order.net + order.discount,
        discount=order.discount,
        coupon=order.coupon.code if order.coupon else "",
        tax=order.tax,
        rate_bp=order.tax_rate_bp,
        treatment=Treatment(order.tax_treatment),
        vat_number=order.billing_vat_number,
    )


def discount(application: Application, at: datetime) -> Discount | None:
    """The coupon's row stays locked to the end of the transaction. Raises CouponError."""
    if not application.coupon_code:
        return None
    return redeem_coupon(code=application.coupon_code, price=application.list_price, at=at)


def with_tax(application: Application, found: Discount | None) -> Taxed:
    """The price of the tier, less the discount, with its VAT."""
    price = application.list_price
    net = price - found.amount if found else price
    payer = billed(application)
    return taxed(net, country=payer.country, vat_number=payer.vat_number)


def _quote(application: Application, found: Discount | None, price: Taxed) -> Quote:
    return Quote(
        price=application.list_price,
        discount=found.amount if found else Money(0, price.net.currency),
        coupon=found.coupon.code if found else "",
        tax=price.tax,
        rate_bp=price.rate_bp,
        treatment=price.treatment,
        vat_number=billed(application).vat_number,
    )
