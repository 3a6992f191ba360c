"""What invoice, credit note and receipt print alike."""

from django.conf import settings
from django.utils.translation import gettext as _

from portal.lib.money import Money
from portal.lib.pdf import Document
from portal.payments.models import Order

Rows = list[tuple[str, str]]


def parties(document: Document, seller_lines: str, order: Order) -> None:
    """Who sells and who buys, as they were when the paper was issued."""
    document.words(seller_lines, size=9, soft=True, after=6)
    document.words("\n".join([order.billing_name, order.billing_lines]).strip(), after=6)


def bank_lines() -> list[str]:
    """The account that a bank transfer goes to, line by line; empty where there is none."""
    return [line.strip() for line in settings.SELLER_BANK.split(";") if line.strip()]


def price_rows(order: Order) -> Rows:
    """Price, discount, net, VAT: only what this order has."""
    rows: Rows = []
    if order.discount_minor:
        before = order.net + order.discount
        coupon = _("Discount, coupon %(code)s") % {"code": order.coupon}
        rows += [(_("Price"), str(before)), (coupon, str(-order.discount))]
    return [*rows, *tax_rows(order.net, order.tax, order.tax_rate_bp)]


def tax_rows(net: Money, tax: Money, rate_bp: int) -> Rows:
    if not tax.minor:
        return []
    return [(_("Net"), str(net)), (_("VAT %(rate)s") % {"rate": percent(rate_bp)}, str(tax))]


def percent(rate_bp: int) -> str:
    """2550 as "25.5 %"."""
    return f"{rate_bp / 100:g}\N{NO-BREAK SPACE}%"
