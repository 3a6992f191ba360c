"""Invoices are issued once, and their file is written once."""

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from fpdf import FPDF

from portal.accounts.models import User
from portal.lib.money import Money
from portal.payments import receipt_pdf
from portal.payments.actions.invoice import (
    credit_note_file,
    invoice_file,
    issue_invoice,
    record_provider_invoice,
    void_invoice,
)
from portal.payments.actions.order import Discount, place_order
from portal.payments.actions.payment import record_offline_payment
from portal.payments.actions.refund import record_offline_refund
from portal.payments.models import CreditNote, Invoice, Order
from portal.payments.tax import Seller, on_net
from portal.payments.tests.factories import AT, make_coupon, make_invoice, make_order

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words that are written into PDF files."""
    words: list[str] = []
    write = FPDF.multi_cell

    def keep(self: FPDF, w: float, h: float, text: str, **more: Any) -> Any:
        words.append(text)
        return write(self, w, h, text, **more)

    monkeypatch.setattr(FPDF, "multi_cell", keep)
    return words


def taxed_order(country: str = "FI", number: str = "") -> Order:
    coupon = make_coupon("EARLY")
    price = on_net(Money(400_00, "EUR"), Seller("FI", 2550), country, number)
    return place_order(
        actor=None,
        description="Silver member 2026",
        amount=price,
        billing_name="Acme GmbH",
        billing_email="billing@acme.example",
        billing_lines="Germany\nDE811907980",
        billing_country=country,
        billing_vat_number=number,
        discount=Discount(coupon, Money(100_00, "EUR")),
    )


def test_an_order_has_one_invoice_and_the_next_takes_the_next_number(erin: User) -> None:
    order = make_order()
    first = issue_invoice(actor=erin, order=order, at=AT, days=14)
    assert issue_invoice(actor=erin, order=order, at=AT) == first
    assert first.due_at == AT + timedelta(days=14)
    void_invoice(actor=erin, invoice=first, at=AT, reason="wrong address")
    second = issue_invoice(actor=erin, order=order, at=AT)
    assert [first.number, second.number] == ["INV-2026-0001", "INV-2026-0002"]
    assert second.due_at == AT + timedelta(days=30)


def test_a_paid_invoice_cannot_be_void(erin: User) -> None:
    order = make_order()
    invoice = issue_invoice(actor=erin, order=order, at=AT)
    record_offline_payment(actor=erin, order=order, amount=order.amount, statement_ref="1", at=AT)
    with pytest.raises(ValueError, match="refunded"):
        void_invoice(actor=erin, invoice=invoice, at=AT, reason="changed their mind")


def test_an_invoice_says_all_that_it_must(said: list[str], settings: Any) -> None:
    settings.SELLER_VAT_NUMBER, settings.SELLER_BANK = "FI20774740", "IBAN FI21; BIC EXAMPLE"
    invoice = issue_invoice(actor=None, order=taxed_order(), at=AT)
    record_provider_invoice(
        invoice=invoice,
        provider="twin",
        provider_invoice_id="in_1",
        provider_number="INV-2026-0001",
        hosted_url="https://pay.example/in_1",
    )
    file = invoice_file(invoice)
    text = "\n".join(said)
    for words in [
        *("Invoice INV-2026-0001", "VAT number FI20774740", "Acme GmbH", "DE811907980"),
        *("1 Mar 2026", "31 Mar 2026", "500\xa0€", "EARLY", "\N{MINUS SIGN}100\xa0€", "VAT 25.5"),
        *("400\xa0€", "102\xa0€", "502\xa0€", "IBAN FI21\nBIC EXAMPLE", "https://pay.example/in_1"),
    ]:
        assert words in text
    stored = Invoice.objects.get()
    assert file[:5] == b"%PDF-"
    assert stored.pdf_sha256 == sha256(file).hexdigest()
    assert invoice_file(stored) == file


def test_without_an_account_of_ours_it_still_names_the_reference(
    said: list[str], settings: Any
) -> None:
    settings.SELLER_BANK = ""
    invoice = make_invoice(hosted_url="https://pay.example/in_1")
    invoice_file(invoice)
    told = "\n".join(said)
    assert f"Name this number with your transfer: {invoice.number}\nPay online: https://" in told
    assert "Or pay" not in told


def test_reverse_charge_is_said_and_no_tax_is_asked(said: list[str]) -> None:
    order = taxed_order("DE", "DE811907980")
    invoice_file(issue_invoice(actor=None, order=order, at=AT))
    assert any("Reverse charge" in words for words in said)
    assert not any("VAT 25.5" in words for words in said)
    assert order.tax == Money(0, "EUR")


def test_a_refund_takes_back_price_and_tax_in_their_share(erin: User, said: list[str]) -> None:
    order = taxed_order()
    invoice = issue_invoice(actor=erin, order=order, at=AT)
    record_offline_payment(actor=erin, order=order, amount=order.amount, statement_ref="1", at=AT)
    half = Money(order.amount_minor // 2, "EUR")
    for _ in range(2):
        record_offline_refund(actor=erin, order=order, amount=half, statement_ref="2", at=AT)
    note = CreditNote.objects.get()
    assert (note.net_minor, note.tax_minor) == (200_00, 51_00)
    assert credit_note_file(note)[:5] == b"%PDF-"
    assert any(invoice.number in words for words in said)
    order.refresh_from_db()
    assert order.state == "partly_refunded"
    assert receipt_pdf.write(order)[:5] == b"%PDF-"
    with pytest.raises(ValueError, match="statement"):
        record_offline_refund(actor=erin, order=order, amount=half, statement_ref=" ", at=AT)


def test_an_unpaid_order_has_no_receipt() -> None:
    with pytest.raises(ValueError, match="unpaid"):
        receipt_pdf.write(make_order())


def test_a_credit_note_without_an_invoice_names_the_receipt(erin: User, said: list[str]) -> None:
    order = make_order()
    record_offline_payment(actor=erin, order=order, amount=order.amount, statement_ref="1", at=AT)
    record_offline_refund(actor=erin, order=order, amount=order.amount, statement_ref="2", at=AT)
    credit_note_file(CreditNote.objects.get())
    assert any("receipt 2026-0001" in words for words in said)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("SEPA Acme GmbH INV-2026-0001 thanks", True),
        ("INV 2026 0001", True),
        ("inv20260001/ACME", True),
        ("re: 7c1f-0042", True),  # what the provider printed
        ("INV-2026-0002", False),
        ("Acme GmbH", False),
        ("", False),
    ],
)
def test_a_transfer_names_its_invoice_by_either_number(words: str, found: bool) -> None:
    invoice = issue_invoice(actor=None, order=make_order(), at=AT)
    Invoice.objects.update(provider_number="7C1F-0042")
    issue_invoice(actor=None, order=make_order(), at=AT.replace(year=2025))
    assert list(Invoice.objects.named_in(words)) == ([invoice] if found else [])
