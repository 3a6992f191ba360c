from portal.books.tests.rows import (
    make_event,
    paid_by_bank,
    paid_by_provider,
    refunded,
    report,
)
from portal.payments.tests.factories import make_invoice, make_order
from tests.permissions import STAFF, Cast, Page

KEEPER = {"erin"}
READERS = KEEPER | STAFF


def order(cast: Cast, step: str = "") -> str:
    return f"/books/orders/{make_order().reference}/{step}"


def receipt(cast: Cast) -> str:
    return f"/books/receipts/{paid_by_bank(cast['erin']).order.receipt_number}.pdf"


PAGES = {
    "books:orders": Page(READERS),
    "books:orders_csv": Page(READERS),
    "books:order": Page(READERS, sample=order),
    "books:transfer": Page(KEEPER, sample=lambda cast: order(cast, "transfer/")),
    "books:correction": Page(
        KEEPER, sample=lambda cast: f"/books/entries/{paid_by_bank(cast['erin']).pk}/correction/"
    ),
    "books:refund": Page(
        KEEPER, sample=lambda cast: f"/books/entries/{paid_by_provider().pk}/refund/"
    ),
    "books:ledger": Page(READERS),
    "books:ledger_csv": Page(READERS),
    "books:balances": Page(READERS),
    "books:balances_csv": Page(READERS),
    "books:reconciliations": Page(READERS),
    "books:reconciliation_now": Page(KEEPER, method="POST"),
    "books:reconciliation": Page(
        READERS, sample=lambda cast: f"/books/reconciliations/{report().pk}/"
    ),
    "books:events": Page(READERS),
    "books:event_fetch": Page(KEEPER, method="POST"),
    "books:event_retry_all": Page(KEEPER, method="POST"),
    "books:event": Page(READERS, sample=lambda cast: f"/books/events/{make_event().pk}/"),
    "books:event_retry": Page(
        KEEPER, sample=lambda cast: f"/books/events/{make_event().pk}/retry/", method="POST"
    ),
    "books:disputes": Page(READERS),
    "books:invoice": Page(
        READERS, sample=lambda cast: f"/books/invoices/{make_invoice().number}.pdf"
    ),
    "books:receipt": Page(READERS, sample=receipt),
    "books:credit_note": Page(
        READERS,
        sample=lambda cast: f"/books/credit-notes/{refunded(cast['erin']).number}.pdf",
    ),
}
