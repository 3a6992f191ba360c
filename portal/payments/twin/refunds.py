"""Money that goes back to who paid it."""

from __future__ import annotations

from portal.payments.twin import forms
from portal.payments.twin.errors import RequestError
from portal.payments.twin.events import emit
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body, shaped
from portal.payments.twin.state import Change, new_id


def create(change: Change, form: Form) -> Body:
    charge = _charge_of(change, form)
    minor = forms.number(form, "amount") if "amount" in form else None
    return give_back(change, charge, minor, forms.inner(form, "metadata"))


def _charge_of(change: Change, form: Form) -> Body:
    intent, charge_id = forms.text(form, "payment_intent"), forms.text(form, "charge")
    if charge_id:
        return change.get("charge", charge_id)
    found = change.find("charge", payment_intent=intent, paid=True) if intent else []
    if not found:
        raise RequestError(f"No such payment_intent: '{intent}'", 404, code="resource_missing")
    return found[0]


def give_back(
    change: Change, charge: Body, minor: int | None, metadata: Form | None = None
) -> Body:
    """An amount of it, all that is left without one. To a bank account it takes some days."""
    if charge["disputed"]:
        raise RequestError(f"Charge {charge['id']} has been disputed.", code="charge_disputed")
    left = charge["amount"] - charge["amount_refunded"]
    back = left if minor is None else minor
    if not 0 < back <= left:
        raise RequestError(
            f"Refund amount ({back}) is greater than unrefunded amount on charge ({left})",
            code="charge_already_refunded" if not left else "amount_too_large",
        )
    is_card = charge["payment_method_details"]["type"] == "card"
    refund = shaped(
        "refund",
        id=new_id("re"),
        created=change.now,
        amount=back,
        currency=charge["currency"],
        charge=charge["id"],
        payment_intent=charge["payment_intent"],
        balance_transaction=new_id("txn"),
        status="succeeded" if is_card else "pending",
        metadata=metadata or {},
    )
    change.add(refund, change.story_of(charge["id"]))
    _state_charge(change, charge, back)
    emit(change, "refund.created", refund)
    emit(change, "charge.refunded", charge)
    return refund


def settle(change: Change, refund_id: str, *, arrived: bool) -> Body:
    """The bank's word on it. One that failed is ours again, even if it seemed to succeed."""
    refund = change.get("refund", refund_id)
    if refund["status"] == "failed" or (arrived and refund["status"] != "pending"):
        raise RequestError(f"This refund is settled: it {refund['status']}.")
    before = {"status": refund["status"]}
    refund["status"] = "succeeded" if arrived else "failed"
    if not arrived:
        refund["failure_reason"] = "lost_or_stolen_card"
        _state_charge(change, change.get("charge", refund["charge"]), -refund["amount"])
    change.save(refund)
    emit(change, "refund.updated", refund, before)
    if not arrived:
        emit(change, "refund.failed", refund)
    return refund


def _state_charge(change: Change, charge: Body, minor: int) -> None:
    charge["amount_refunded"] += minor
    charge["refunded"] = charge["amount_refunded"] == charge["amount"]
    change.save(charge)
