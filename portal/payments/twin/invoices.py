"""Invoices: drawn up, opened to be paid, paid or void."""

from __future__ import annotations

from typing import Any

from portal.payments.twin import charges, customers, forms
from portal.payments.twin.cards import CARDS
from portal.payments.twin.errors import RequestError
from portal.payments.twin.events import emit
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body, shaped
from portal.payments.twin.state import Change, new_id

DAY = 24 * 3600


# --- drawn up ---


def create(change: Change, form: Form, own_url: str) -> Body:
    """A draft that is paid by bank transfer or on its page; its lines follow."""
    if form.get("collection_method") != "send_invoice":
        raise RequestError("collection_method must be send_invoice", param="collection_method")
    customer = customers.known(change, forms.text(form, "customer") or "")
    days = forms.number(form, "days_until_due")
    fields = [
        {"name": field.get("name", ""), "value": field.get("value", "")}
        for field in forms.inner(form, "custom_fields").values()
    ]
    return draft(
        change,
        customer,
        own_url,
        currency=(forms.text(form, "currency") or "").lower(),
        collection_method="send_invoice",
        due_date=change.now + days * DAY,
        billing_reason="manual",
        metadata=forms.inner(form, "metadata"),
        custom_fields=fields or None,
        footer=forms.text(form, "footer"),
        number=_free_number(change, forms.text(form, "number")),
    )


def _free_number(change: Change, number: str | None) -> str | None:
    """One of the caller's own, once in the account; without it the twin gives one."""
    if number and change.find("invoice", number=number):
        raise RequestError(f"The invoice number {number} is taken.", param="number")
    return number


def draft(change: Change, customer: Body, own_url: str, *, story: str = "", **fields: Any) -> Body:
    invoice_id = new_id("in")
    times = dict.fromkeys(("finalized_at", "marked_uncollectible_at", "paid_at", "voided_at"))
    invoice = shaped(
        "invoice",
        id=invoice_id,
        created=change.now,
        status="draft",
        customer=customer["id"],
        customer_email=customer["email"],
        customer_name=customer["name"],
        customer_tax_exempt=customer["tax_exempt"],
        period_start=change.now,
        period_end=change.now,
        status_transitions=times,
        **fields,
    )
    invoice["lines"]["url"] = f"/v1/invoices/{invoice_id}/lines"
    change.add(invoice, story, page=f"{own_url}/invoices/{invoice_id}")
    emit(change, "invoice.created", invoice)
    return invoice


def create_item(change: Change, form: Form) -> Body:
    """A line of a draft."""
    invoice = change.get("invoice", forms.text(form, "invoice") or "")
    minor, now = forms.number(form, "amount"), change.now
    if invoice["status"] != "draft":
        raise RequestError("The invoice is no longer editable.", code="invoice_not_editable")
    if (forms.text(form, "currency") or "").lower() != invoice["currency"]:
        raise RequestError("The currency of the line is not that of its invoice.", param="currency")
    item = shaped(
        "invoiceitem",
        id=new_id("ii"),
        date=now,
        amount=minor,
        currency=invoice["currency"],
        customer=invoice["customer"],
        description=forms.text(form, "description"),
        discountable=True,
        invoice=invoice["id"],
        metadata={},
        period={"start": now, "end": now},
        quantity=1,
        quantity_decimal="1",
    )
    change.add(item, change.story_of(invoice["id"]))
    add_line(change, invoice, minor, item["description"] or "", (now, now))
    emit(change, "invoiceitem.created", item)
    return item


def add_line(
    change: Change, invoice: Body, minor: int, description: str, period: tuple[int, int]
) -> Body:
    line = shaped(
        "line_item",
        id=new_id("il"),
        amount=minor,
        subtotal=minor,
        currency=invoice["currency"],
        description=description,
        invoice=invoice["id"],
        period={"start": period[0], "end": period[1]},
        quantity=1,
        quantity_decimal="1",
    )
    invoice["lines"]["data"].append(line)
    total = sum(row["amount"] for row in invoice["lines"]["data"])
    sums = ("amount_due", "amount_remaining", "subtotal", "total")
    return change.save(invoice | dict.fromkeys(sums, total))


# --- opened ---


def finalize(change: Change, invoice_id: str) -> Body:
    """From now on it can be paid and no more be changed."""
    invoice = change.get("invoice", invoice_id)
    if invoice["status"] != "draft":
        raise RequestError("This invoice is already finalized.", code="invoice_already_finalized")
    if invoice["amount_due"] < 0 or not invoice["lines"]["data"]:
        raise RequestError("An invoice needs a line and must not be negative.")
    invoice |= {
        "status": "open",
        "number": invoice["number"] or f"TWIN-{len(change.find('invoice')):04d}",
        "effective_at": change.now,
        "hosted_invoice_url": change.notes(invoice_id)["page"],
    }
    invoice["status_transitions"]["finalized_at"] = change.now
    change.save(invoice)
    emit(change, "invoice.finalized", invoice)
    if invoice["collection_method"] == "send_invoice":
        emit(change, "invoice.sent", invoice)
    return invoice


def void(change: Change, invoice_id: str) -> Body:
    invoice = _open(change, invoice_id)
    invoice["status"] = "void"
    invoice["status_transitions"]["voided_at"] = change.now
    change.save(invoice)
    charges.cancel_intent(change, intent_id_of(change, invoice_id))
    emit(change, "invoice.voided", invoice)
    return invoice


def tell_overdue(change: Change, invoice_id: str) -> None:
    """Its day has passed; it can still be paid."""
    change.note(invoice_id, overdue=True)
    emit(change, "invoice.overdue", change.get("invoice", invoice_id))


# --- paid ---


def payment_of(change: Change, invoice: Body) -> tuple[Body, Body]:
    """The payment of an open invoice and its intent, made with the first attempt."""
    found = change.find("invoice_payment", invoice=invoice["id"])
    if found:
        return found[0], change.get("payment_intent", found[0]["payment"]["payment_intent"])
    story = change.story_of(invoice["id"])
    intent = charges.open_intent(
        change,
        minor=invoice["amount_due"],
        currency=invoice["currency"],
        story=story,
        customer=invoice["customer"],
        description=invoice["lines"]["data"][0]["description"],
        receipt_email=invoice["customer_email"],
        metadata={},
    )
    payment = shaped(
        "invoice_payment",
        id=new_id("inpay"),
        created=change.now,
        amount_requested=invoice["amount_due"],
        currency=invoice["currency"],
        invoice=invoice["id"],
        is_default=True,
        payment={"type": "payment_intent", "payment_intent": intent["id"]},
        status="open",
        status_transitions={"canceled_at": None, "paid_at": None},
    )
    return change.add(payment, story), intent


def pay(change: Change, invoice_id: str, way: str) -> Body:
    """The money came, by a card or from a bank."""
    invoice = _open(change, invoice_id)
    payment = None
    if invoice["amount_due"]:
        payment, intent = payment_of(change, invoice)
        charges.succeed(change, intent, way)
    invoice |= {
        "status": "paid",
        "attempted": True,
        "attempt_count": invoice["attempt_count"] + 1,
        "amount_paid": invoice["amount_due"],
        "amount_remaining": 0,
        "next_payment_attempt": None,
    }
    invoice["status_transitions"]["paid_at"] = change.now
    change.save(invoice)
    emit(change, "invoice.paid", invoice)
    emit(change, "invoice.payment_succeeded", invoice)
    if payment is not None:
        payment |= {"status": "paid", "amount_paid": invoice["amount_paid"]}
        payment["status_transitions"]["paid_at"] = change.now
        emit(change, "invoice_payment.paid", change.save(payment))
    return invoice


def refuse(
    change: Change, invoice_id: str, way: str, code: str, *, again_at: int | None = None
) -> Body:
    """An attempt to take the money failed; the next one is at `again_at`, if there is one."""
    invoice = _open(change, invoice_id)
    _, intent = payment_of(change, invoice)
    charges.fail(change, intent, way, code)
    invoice |= {
        "attempted": True,
        "attempt_count": invoice["attempt_count"] + 1,
        "next_payment_attempt": again_at,
    }
    change.save(invoice)
    emit(change, "invoice.payment_failed", invoice)
    return invoice


def try_card(change: Change, invoice_id: str, card: str, *, again_at: int | None) -> bool:
    """Take the money from a card while nobody is there; whether it came."""
    code = CARDS[card].charged_later
    if code:
        refuse(change, invoice_id, card, code, again_at=again_at)
    else:
        pay(change, invoice_id, card)
    return not code


def intent_id_of(change: Change, invoice_id: str) -> str | None:
    found = change.find("invoice_payment", invoice=invoice_id)
    return found[0]["payment"]["payment_intent"] if found else None


def _open(change: Change, invoice_id: str) -> Body:
    invoice = change.get("invoice", invoice_id)
    if invoice["status"] != "open":
        raise RequestError(
            f"This invoice is {invoice['status']}; only an open one can be paid or voided.",
            code="invoice_not_open",
        )
    return invoice
