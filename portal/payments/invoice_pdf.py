"""An invoice as PDF."""

from django.conf import settings
from django.utils import formats
from django.utils.translation import gettext as _

from portal.lib.pdf import Document
from portal.payments.models import Invoice
from portal.payments.papers import bank_lines, parties, price_rows


def write(invoice: Invoice) -> bytes:
    order = invoice.order
    title = _("Invoice %(number)s") % {"number": invoice.number}
    document = Document(title=title, author=settings.SELLER_NAME)
    parties(document, invoice.seller_lines, order)
    document.rows(
        [
            (_("Issued"), formats.date_format(invoice.issued_at, "j M Y")),
            (_("To be paid by"), formats.date_format(invoice.due_at, "j M Y")),
            (_("For"), order.description),
        ]
    )
    document.rows([*price_rows(order), (_("To be paid"), str(order.amount))], last_bold=True)
    if order.tax_note:
        document.words(order.tax_note)
    document.words(_how_to_pay(invoice))
    return document.written()


def _how_to_pay(invoice: Invoice) -> str:
    account = bank_lines()
    reference = _("Name this number with your transfer: %(number)s") % {"number": invoice.number}
    words = _("Or pay online: %(url)s") if account else _("Pay online: %(url)s")
    online = [words % {"url": invoice.hosted_url}] if invoice.hosted_url else []
    return "\n".join([*account, reference, *online])
