"""Disputes: a cardholder wants the money back, the bank takes it and decides in the end."""

from __future__ import annotations

from portal.payments.twin.errors import RequestError
from portal.payments.twin.events import emit
from portal.payments.twin.shapes import Body, shaped
from portal.payments.twin.state import Change, new_id

DAY = 24 * 3600
EVIDENCE = 14 * DAY  # to answer in
OVER = {"won", "lost", "warning_closed"}


def open_dispute(change: Change, charge_id: str, *, inquiry: bool = False) -> Body:
    """The bank takes the money; a mere question (`inquiry`) takes none."""
    charge = change.get("charge", charge_id)
    minor = charge["amount"] - charge["amount_refunded"]
    if not charge["paid"] or charge["disputed"] or minor <= 0:
        raise RequestError("There is nothing to dispute: unpaid, refunded or disputed already.")
    dispute = shaped(
        "dispute",
        id=new_id("du"),
        created=change.now,
        amount=minor,
        currency=charge["currency"],
        charge=charge_id,
        payment_intent=charge["payment_intent"],
        reason="general" if inquiry else "product_not_received",
        status="warning_needs_response" if inquiry else "needs_response",
        is_charge_refundable=inquiry,
        evidence=dict.fromkeys(shaped("dispute")["evidence"]) | {"enhanced_evidence": {}},
        evidence_details=_details(change.now + EVIDENCE),
    )
    change.add(dispute, change.story_of(charge_id))
    emit(change, "charge.dispute.created", dispute)
    if not inquiry:
        change.save(charge | {"disputed": True})
        _move(change, dispute, -minor)
        emit(change, "charge.dispute.funds_withdrawn", dispute)
    return dispute


def answer(change: Change, dispute_id: str) -> Body:
    """Evidence was handed in."""
    dispute = _open(change, dispute_id)
    before = {"status": dispute["status"]}
    if dispute["status"] == "warning_needs_response":
        dispute["status"] = "warning_under_review"
    else:
        dispute["status"] = "under_review"
    dispute["evidence_details"] |= {"has_evidence": True, "submission_count": 1}
    change.save(dispute)
    emit(change, "charge.dispute.updated", dispute, before)
    return dispute


def close(change: Change, dispute_id: str, *, won: bool) -> Body:
    """The bank decided; an inquiry just ends, one that is won gives the money back."""
    dispute = _open(change, dispute_id)
    asked = dispute["status"].startswith("warning")
    dispute["status"] = "warning_closed" if asked else "won" if won else "lost"
    if dispute["status"] == "won":
        _move(change, dispute, dispute["amount"])
    change.save(dispute)
    emit(change, "charge.dispute.closed", dispute)
    if dispute["status"] == "won":
        emit(change, "charge.dispute.funds_reinstated", dispute)
    return dispute


def _open(change: Change, dispute_id: str) -> Body:
    dispute = change.get("dispute", dispute_id)
    if dispute["status"] in OVER:
        raise RequestError(f"This dispute is over: {dispute['status']}.")
    return dispute


def _details(due_by: int) -> Body:
    return {
        "due_by": due_by,
        "enhanced_eligibility": {},
        "has_evidence": False,
        "past_due": False,
        "submission_count": 0,
    }


def _move(change: Change, dispute: Body, minor: int) -> None:
    moved = shaped(
        "balance_transaction",
        id=new_id("txn"),
        created=change.now,
        available_on=change.now,
        amount=minor,
        net=minor,
        currency=dispute["currency"],
        balance_type="payments",
        reporting_category="dispute" if minor < 0 else "dispute_reversal",
        source=dispute["id"],
        status="available",
        type="adjustment",
    )
    dispute["balance_transactions"] = [*dispute["balance_transactions"], moved]
    change.save(dispute)
