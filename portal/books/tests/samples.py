"""Where a sample of each view with parameters stands (see tests/samples.py)."""

from django.urls import reverse

from portal.accounts import demonstration as people
from portal.books.tests.rows import make_event, paid_by_provider, refunded, report
from portal.payments.models import LedgerEntry, Order
from portal.payments.tests.factories import make_invoice


def order(name: str) -> str:
    return reverse(f"books:{name}", args=[Order.objects.latest("pk").reference])


def by_bank() -> LedgerEntry:
    return LedgerEntry.objects.filter(provider="bank", kind="payment").latest("pk")


SAMPLES = {
    "books:order": lambda: order("order"),
    "books:transfer": lambda: order("transfer"),
    "books:correction": lambda: reverse("books:correction", args=[by_bank().pk]),
    "books:refund": lambda: reverse("books:refund", args=[paid_by_provider().pk]),
    "books:reconciliation": lambda: reverse("books:reconciliation", args=[report().pk]),
    "books:event": lambda: reverse("books:event", args=[make_event().pk]),
    "books:event_retry": lambda: reverse("books:event_retry", args=[make_event().pk]),
    "books:invoice": lambda: reverse("books:invoice", args=[make_invoice().number]),
    "books:receipt": lambda: reverse("books:receipt", args=[by_bank().order.receipt_number]),
    "books:credit_note": lambda: reverse(
        "books:credit_note", args=[refunded(people.person(people.ERIN)).number]
    ),
}
