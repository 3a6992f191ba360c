"""A receipt as PDF, made from the order and its ledger."""

from django.conf import settings
from django.utils import formats
from django.utils.translation import gettext as _

from portal.lib.money import Money
from portal.lib.pdf import Document
from portal.payments.models import Order
from portal.payments.papers import parties, price_rows
from portal.payments.taxation import seller_lines


def write(order: Order) -> bytes:
    if order.paid_at is None:
        raise ValueError("an unpaid order has no receipt")
    title = _("Receipt %(number)s") % {"number": order.receipt_number}
    document = Document(title=title, author=settings.FOUNDATION_NAME)
    parties(document, seller_lines(), order)
    price = (_("Price"), str(order.amount))
    document.rows([(_("For"), order.description), *price_rows(order), price])
    if order.tax_note:
        document.words(order.tax_note)
    entries = list(order.entries.order_by("occurred_at", "pk"))
    booked = [
        (
            f"{formats.date_format(entry.occurred_at, 'j M Y')}, {entry.get_kind_display()}",
            str(entry.amount),
        )
        for entry in entries
    ]
    own = [entry.amount_minor for entry in entries if entry.currency == order.currency]
    total = Money(sum(own), order.currency)
    document.rows([*booked, (_("Received in total"), str(total))], last_bold=True)
    return document.written()
