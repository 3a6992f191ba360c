"""Subscriptions: begun on the hosted page, then a period after the other until one ends them."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime
from typing import Any

from portal.payments.twin import forms, invoices
from portal.payments.twin.errors import MissingError, RequestError
from portal.payments.twin.events import emit
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body, listing, shaped
from portal.payments.twin.state import Change, new_id

DAY = 24 * 3600
RETRIES = [3 * DAY, 5 * DAY, 7 * DAY]  # after a refusal; then it is given up
OVER = ("canceled", "incomplete_expired")


def begin(change: Change, customer: Body, price: Body, **fields: Any) -> Body:
    """One that waits for its first payment."""
    subscription_id, now = new_id("sub"), change.now
    item = shaped(
        "subscription_item",
        id=new_id("si"),
        created=now,
        current_period_start=now,
        current_period_end=after(now, price),
        price=price,
        quantity=1,
        subscription=subscription_id,
    )
    subscription = shaped(
        "subscription",
        id=subscription_id,
        created=now,
        start_date=now,
        billing_cycle_anchor=now,
        customer=customer["id"],
        currency=price["currency"],
        status="incomplete",
        items=listing([item], f"/v1/subscription_items?subscription={subscription_id}"),
        **fields,
    )
    change.add(subscription)
    emit(change, "customer.subscription.created", subscription)
    return subscription


def bill(change: Change, subscription: Body, own_url: str, *, off: int = 0) -> Body:
    """The invoice of the period that it is in, open; `off` is what a coupon takes away."""
    item = period_of(subscription)
    first = subscription["latest_invoice"] is None
    details = {"subscription": subscription["id"], "metadata": subscription["metadata"]}
    invoice = invoices.draft(
        change,
        change.get("customer", subscription["customer"]),
        own_url,
        story=subscription["id"],
        currency=subscription["currency"],
        collection_method="charge_automatically",
        auto_advance=True,
        billing_reason="subscription_create" if first else "subscription_cycle",
        parent={
            "type": "subscription_details",
            "subscription_details": details,
            "quote_details": None,
        },
        metadata={},
    )
    period = (item["current_period_start"], item["current_period_end"])
    description = subscription["description"] or "Subscription"
    minor = item["price"]["unit_amount"] - off
    invoice = invoices.add_line(change, invoice, minor, description, period)
    subscription["latest_invoice"] = invoice["id"]
    change.save(subscription)
    return invoices.finalize(change, invoice["id"])


def told(change: Change, subscription: Body, **fields: Any) -> Body:
    """Change it and tell so, with what was before."""
    before = {name: subscription[name] for name in fields if subscription[name] != fields[name]}
    change.save(subscription | fields)
    emit(change, "customer.subscription.updated", subscription | fields, before)
    return subscription | fields


# --- a period after the other ---


def renew(change: Change, subscription_id: str, own_url: str) -> None:
    """The next period begins: its money is taken, or it ends as it was asked to."""
    subscription = change.get("subscription", subscription_id)
    if subscription["cancel_at"] or subscription["cancel_at_period_end"]:
        _end(change, subscription, "cancellation_requested")
        return
    item = period_of(subscription)
    start = item["current_period_end"]
    end = after(start, item["price"], subscription["billing_cycle_anchor"])
    moved = item | {"current_period_start": start, "current_period_end": end}
    items = subscription["items"] | {"data": [moved]}
    subscription = told(change, subscription, items=items)
    invoice = bill(change, subscription, own_url)
    retry(change, invoice["id"])


def retry(change: Change, invoice_id: str) -> None:
    """Try the card of a subscription; when it was refused too often, give up."""
    invoice = change.get("invoice", invoice_id)
    subscription = change.get("subscription", subscription_of(invoice))
    tries = invoice["attempt_count"]
    pause = RETRIES[tries] if tries < len(RETRIES) else None
    again_at = change.now + pause if pause else None
    card = change.notes(subscription["customer"]).get("card", "good")
    if invoices.try_card(change, invoice_id, card, again_at=again_at):
        settled(change, subscription["id"])
    elif again_at is None:
        _end(change, change.get("subscription", subscription["id"]), "payment_failed")
    elif subscription["status"] != "past_due":
        told(change, change.get("subscription", subscription["id"]), status="past_due")


def settled(change: Change, subscription_id: str) -> None:
    """What was due is paid."""
    subscription = change.get("subscription", subscription_id)
    if subscription["status"] not in {"active", *OVER}:
        told(change, subscription, status="active")


# --- changed and ended ---


def update(change: Change, subscription_id: str, form: Form) -> Body:
    """Another price, or: end it with its period, take that back."""
    subscription = known(change, subscription_id)
    if "items" in form:
        return _change_item(change, subscription, forms.inner(form, "items", "0"))
    ends = forms.flag(form, "cancel_at_period_end")
    period_end = period_of(subscription)["current_period_end"]
    return told(
        change,
        subscription,
        cancel_at_period_end=ends,
        cancel_at=period_end if ends else None,
        canceled_at=change.now if ends else None,
        cancellation_details=_reason("cancellation_requested" if ends else None),
    )


def cancel_at_end(change: Change, subscription_id: str) -> Body:
    """As customers do on the portal's page: by a date, without the flag."""
    subscription = known(change, subscription_id)
    return told(
        change,
        subscription,
        cancel_at=period_of(subscription)["current_period_end"],
        canceled_at=change.now,
        cancellation_details=_reason("cancellation_requested"),
    )


def keep(change: Change, subscription_id: str) -> Body:
    return update(change, subscription_id, {"cancel_at_period_end": "false"})


def cancel(change: Change, subscription_id: str) -> Body:
    """End it now."""
    return _end(change, known(change, subscription_id), "cancellation_requested")


def change_price(change: Change, subscription_id: str, minor: int) -> Body:
    """Another plan, from the next period on."""
    subscription = known(change, subscription_id)
    if minor <= 0:
        raise RequestError("A price must be more than nothing.", param="items")
    item = period_of(subscription)
    price = item["price"] | {
        "id": new_id("price"),
        "unit_amount": minor,
        "unit_amount_decimal": str(minor),
    }
    items = subscription["items"] | {"data": [item | {"price": price}]}
    return told(change, subscription, items=items)


def _change_item(change: Change, subscription: Body, row: Form) -> Body:
    wanted = forms.inner(row, "price_data")
    if row.get("id") != period_of(subscription)["id"]:
        raise RequestError("No such subscription item.", 404, param="items[0][id]")
    if wanted.get("currency") != subscription["currency"]:
        raise RequestError("The currency of a subscription stays.", param="items[0][price_data]")
    return change_price(change, subscription["id"], forms.number(wanted, "unit_amount"))


def known(change: Change, subscription_id: str) -> Body:
    """One that can be changed; an ended one is answered like one that never was, as by Stripe."""
    subscription = change.get("subscription", subscription_id)
    if subscription["status"] in OVER:
        raise MissingError("subscription", subscription_id)
    return subscription


def _end(change: Change, subscription: Body, reason: str) -> Body:
    now = change.now
    subscription |= {
        "status": "canceled",
        "canceled_at": subscription["canceled_at"] or now,
        "ended_at": now,
        "cancellation_details": _reason(reason),
    }
    for invoice in change.find("invoice", customer=subscription["customer"], status="open"):
        if subscription_of(invoice) == subscription["id"]:
            change.save(invoice | {"next_payment_attempt": None, "auto_advance": False})
    change.save(subscription)
    emit(change, "customer.subscription.deleted", subscription)
    return subscription


def _reason(reason: str | None) -> Body:
    return {"comment": None, "feedback": None, "feedback_option": None, "reason": reason}


# --- reading one ---


def period_of(subscription: Body) -> Body:
    item: Body = subscription["items"]["data"][0]
    return item


def subscription_of(invoice: Body) -> str:
    """The id of the subscription that an invoice is of, empty where it is of none."""
    details = (invoice["parent"] or {}).get("subscription_details") or {}
    return str(details.get("subscription") or "")


def after(start: int, price: Body, anchor: int | None = None) -> int:
    """When a period ends that starts then; `anchor` is when the first one started."""
    recurring = price["recurring"]
    months = recurring["interval_count"] * (12 if recurring["interval"] == "year" else 1)
    return later(start, months, anchor or start)


def later(start: int, months: int, anchor: int) -> int:
    """The day of the anchor so many months later, or the last one of a shorter month."""
    moment = datetime.fromtimestamp(start, UTC)
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    day = min(datetime.fromtimestamp(anchor, UTC).day, monthrange(year, month + 1)[1])
    return int(moment.replace(year=year, month=month + 1, day=day).timestamp())
