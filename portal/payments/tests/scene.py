"""Where a story plays: the references that we wrote, and the events that it gave so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from portal.lib.money import Money
from portal.payments.tests.shapes import Thing, event, shaped

START = 1_760_000_000  # seconds; long enough ago that nothing of a story lies in the future
DAY = 24 * 3600
MONTH = 30 * DAY


@dataclass
class Scene:
    """Whose money it is about. `named` events of one scene have ids of their own."""

    reference: str  # of the order
    amount: Money
    subscription: str = ""  # our reference of it
    invoice: str = ""  # the number of our invoice
    events: list[Thing] = field(default_factory=list)

    def tell(self, kind: str, thing: Thing, at: int) -> None:
        number = len(self.events)
        self.events.append(event(kind, thing, event_id=f"evt_{number}", at=START + at))

    @property
    def money(self) -> dict[str, Any]:
        return {"currency": self.amount.currency.lower()}

    # --- the hosted page ---

    def session(self, kind: str, at: int, **fields: Any) -> None:
        metadata = {"order": self.reference}
        given: dict[str, Any] = {
            "id": "cs_1",
            "mode": "payment",
            "status": "complete",
            "payment_status": "paid",
            "amount_total": self.amount.minor,
            "client_reference_id": self.reference,
            "metadata": metadata,
            "payment_intent": "pi_1",
            "customer": None,
        }
        thing = shaped("checkout.session", **given | self.money | fields)
        self.tell(f"checkout.session.{kind}", thing, at)

    def charged(self, intent: str, charge: str, at: int, **fields: Any) -> None:
        given = {"id": charge, "payment_intent": intent, "amount": self.amount.minor}
        self.tell("charge.succeeded", shaped("charge", **given | self.money | fields), at)
        done = {"id": intent, "amount": self.amount.minor, "status": "succeeded"}
        self.tell("payment_intent.succeeded", shaped("payment_intent", **done | self.money), at)

    def declined(self, at: int) -> None:
        thing = shaped("payment_intent", id="pi_0", metadata={"order": self.reference})
        self.tell("payment_intent.payment_failed", thing, at)

    # --- money that goes back ---

    def refund(self, kind: str, minor: int, at: int, *, made: int, **fields: Any) -> None:
        given: dict[str, Any] = {
            "id": f"re_{minor}",
            "amount": minor,
            "payment_intent": "pi_1",
            "charge": "ch_1",
            "created": START + made,
        }
        self.tell(f"refund.{kind}", shaped("refund", **given | self.money | fields), at)

    def dispute(self, kind: str, status: str, at: int, *, moved: int, **fields: Any) -> None:
        """`moved` of the two transactions are there: what was taken, what came back."""
        minor = self.amount.minor
        rows = [("txn_1", -minor, 2 * DAY), ("txn_2", minor, 20 * DAY)][:moved]
        given: dict[str, Any] = {
            "id": "du_1",
            "amount": minor,
            "charge": "ch_1",
            "payment_intent": "pi_1",
            "created": START + 2 * DAY - 60,
            "reason": "product_not_received",
            "status": status,
            "evidence_details": {"due_by": START + 16 * DAY},
            "balance_transactions": [
                shaped("balance_transaction", id=name, amount=amount, created=START + created)
                for name, amount, created in rows
            ],
        }
        thing = shaped("dispute", **given | self.money | fields)
        self.tell(f"charge.dispute.{kind}", thing, at)

    # --- invoices ---

    def bill(self, kind: str, at: int, **fields: Any) -> None:
        """The invoice that we asked for, paid by bank transfer."""
        given: dict[str, Any] = {
            "id": "in_1",
            "collection_method": "send_invoice",
            "metadata": {"order": self.reference, "invoice": self.invoice},
            "parent": None,
            "status": "open",
            "amount_due": self.amount.minor,
            "hosted_invoice_url": "https://invoice.example/in_1",
            "customer": "cus_1",
        }
        self.tell(f"invoice.{kind}", shaped("invoice", **given | self.money | fields), at)

    def bill_paid(self, at: int) -> None:
        paid = {"status": "paid", "amount_paid": self.amount.minor}
        times = {"status_transitions": {"paid_at": START + at}}
        self.bill("paid", at, **paid, **times)
        self.bill("payment_succeeded", at + 1, **paid, **times)
        self.payment("in_1", "pi_1", at + 1)
        self.charged("pi_1", "ch_1", at)

    def payment(self, invoice: str, intent: str, at: int) -> None:
        given: dict[str, Any] = {
            "id": f"inpay_{invoice}",
            "invoice": invoice,
            "amount_paid": self.amount.minor,
            "amount_requested": self.amount.minor,
            "status": "paid",
            "payment": {"type": "payment_intent", "payment_intent": intent},
            "created": START + at,
        }
        self.tell("invoice_payment.paid", shaped("invoice_payment", **given | self.money), at)

    # --- subscriptions ---

    def subscribed(self, kind: str, status: str, at: int, **fields: Any) -> None:
        month = fields.pop("month", 0)
        price = fields.pop("price", self.amount.minor)
        given: dict[str, Any] = {
            "id": "sub_1",
            "customer": "cus_1",
            "status": status,
            "metadata": {"subscription": self.subscription},
            "items": {"data": [self._item(month, price)]},
            "cancel_at": None,
            "cancel_at_period_end": False,
            "canceled_at": None,
            "ended_at": None,
        }
        thing = shaped("subscription", **given | self.money | fields)
        self.tell(f"customer.subscription.{kind}", thing, at)

    def _item(self, month: int, price: int) -> Thing:
        item: Thing = dict(shaped("subscription")["items"]["data"][0])
        recurring = item["price"]["recurring"] | {"interval": "month", "interval_count": 1}
        return item | {
            "price": item["price"] | self.money | {"unit_amount": price, "recurring": recurring},
            "quantity": 1,
            "current_period_start": START + month * MONTH,
            "current_period_end": START + (month + 1) * MONTH,
        }

    def period(self, kind: str, month: int, at: int, **fields: Any) -> None:
        """The invoice of a month, in the shape without a charge."""
        details = {
            "metadata": {"subscription": self.subscription, "order": self.reference},
            "subscription": "sub_1",
        }
        reason = "subscription_cycle" if month else "subscription_create"
        given: dict[str, Any] = {
            "id": f"in_{month + 1}",
            "billing_reason": reason,
            "parent": {"type": "subscription_details", "subscription_details": details},
            "metadata": {},
            "status": "open",
            "amount_due": self.amount.minor,
            "attempt_count": 1,
            "next_payment_attempt": None,
            "hosted_invoice_url": f"https://invoice.example/in_{month + 1}",
            "customer": "cus_1",
        }
        self.tell(f"invoice.{kind}", shaped("invoice", **given | self.money | fields), at)

    def period_paid(self, month: int, at: int) -> None:
        paid = {"status": "paid", "amount_paid": self.amount.minor}
        times = {"status_transitions": {"paid_at": START + at}}
        self.period("paid", month, at, **paid, **times)
        self.payment(f"in_{month + 1}", f"pi_{month + 1}", at + 1)

    def begun(self) -> None:
        """The first month: the session, the subscription and its first invoice."""
        self.subscribed("created", "incomplete", 0)
        self.subscribed("updated", "active", 0)
        self.period_paid(0, 2)
        self.session("completed", 4, **SUBSCRIPTION_SESSION)


SUBSCRIPTION_SESSION: dict[str, Any] = {
    "mode": "subscription",
    "payment_intent": None,
    "subscription": "sub_1",
    "invoice": "in_1",
    "customer": "cus_1",
}
