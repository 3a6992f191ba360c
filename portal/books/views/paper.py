"""Papers as PDF for the treasurer: invoices, receipts, credit notes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from portal.books.access import reader
from portal.payments import receipt_pdf
from portal.payments.actions.invoice import credit_note_file, invoice_file
from portal.payments.models import CreditNote, Invoice, Order


@reader
@require_safe
def invoice(request: HttpRequest, number: str) -> HttpResponse:
    paper = get_object_or_404(Invoice, number=number)
    return pdf_response(f"invoice-{number}", invoice_file(paper))


@reader
@require_safe
def credit_note(request: HttpRequest, number: str) -> HttpResponse:
    paper = get_object_or_404(CreditNote, number=number)
    return pdf_response(f"credit-note-{number}", credit_note_file(paper))


@reader
@require_safe
def receipt(request: HttpRequest, number: str) -> HttpResponse:
    paid = Order.objects.filter(paid_at__isnull=False)
    return pdf_response(
        f"receipt-{number}", receipt_pdf.write(get_object_or_404(paid, receipt_number=number))
    )


def pdf_response(name: str, content: bytes) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
