"""A credit note as PDF: what a refund takes back."""

from django.conf import settings
from django.utils import formats
from django.utils.translation import gettext as _

from portal.lib.money import Money
from portal.lib.pdf import Document
from portal.payments.models import CreditNote
from portal.payments.papers import parties, tax_rows


def write(note: CreditNote) -> bytes:
    order = note.order
    title = _("Credit note %(number)s") % {"number": note.number}
    document = Document(title=title, author=settings.SELLER_NAME)
    parties(document, note.seller_lines, order)
    invoice = order.invoices.valid().first()
    about = (
        _("invoice %(number)s") % {"number": invoice.number}
        if invoice
        else _("receipt %(number)s") % {"number": order.receipt_number}
    )
    document.rows(
        [
            (_("Issued"), formats.date_format(note.issued_at, "j M Y")),
            (_("Takes back"), f"{order.description}, {about}"),
        ]
    )
    net, tax = Money(note.net_minor, note.currency), Money(note.tax_minor, note.currency)
    rows = tax_rows(net, tax, order.tax_rate_bp)
    document.rows([*rows, (_("Given back"), str(note.amount))], last_bold=True)
    if order.tax_note:
        document.words(order.tax_note)
    return document.written()
