"""What tables of the books share: entries with their links, and CSV for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import quote

from django.conf import settings
from django.http import StreamingHttpResponse

from portal.books.actions.refund import may_refund, refundable
from portal.books.actions.transfer import BANK
from portal.books.dashboard import object_url
from portal.lib import spreadsheet
from portal.lib.money import EXPONENTS, Money
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry


@dataclass(frozen=True, slots=True)
class EntryRow:
    entry: LedgerEntry
    url: str  # of the provider's page, empty where there is none
    refundable: Money | None
    correctable: bool


def entry_rows(entries: Iterable[LedgerEntry]) -> list[EntryRow]:
    """The entries of one order, oldest first, with what may be done about each."""
    ordered = sorted(entries, key=lambda entry: (entry.occurred_at, entry.pk))
    undone = {
        entry.provider_ref
        for entry in ordered
        if entry.kind in {EntryKind.CORRECTION, EntryKind.REFUND_RETURNED}
    }
    return [
        EntryRow(e, provider_url(e.provider, e.provider_ref), *_may(e, undone)) for e in ordered
    ]


def _may(entry: LedgerEntry, undone: set[str]) -> tuple[Money | None, bool]:
    left = refundable(entry) if may_refund(entry) else None
    kinds = {EntryKind.PAYMENT, EntryKind.REFUND}
    correctable = (
        entry.provider == BANK and entry.kind in kinds and entry.provider_ref not in undone
    )
    return (left if left and left.minor else None), correctable


def provider_url(provider: str, ref: str) -> str:
    if provider == settings.PAYMENT_PROVIDER == "twin":
        return f"{settings.TWIN_URL}/stories/{quote(ref)}" if ref else ""
    test_mode = settings.STRIPE_SECRET_KEY.startswith(("sk_test_", "rk_test_"))
    return object_url(provider, ref, test_mode=test_mode)


def plain(money: Money) -> Decimal:
    """For a spreadsheet: 1234.50, and -5.00 as a number."""
    return Decimal(money.minor).scaleb(-EXPONENTS[money.currency])


def csv_response(name: str, rows: Iterator[tuple[object, ...]]) -> StreamingHttpResponse:
    """Text of strangers stays text; numbers stay numbers."""
    lines = spreadsheet.lines(rows)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
