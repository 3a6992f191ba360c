"""What can happen to an order's money, as the events that Stripe sends about it.

A story gets the references that we wrote into the session, the invoice or the subscription, and
gives its events as they happened. `portal/payments/tests/histories.py` plays them in any sequence.
"""

from __future__ import annotations

from collections.abc import Callable

from portal.payments.tests.scene import DAY, MONTH, START, SUBSCRIPTION_SESSION, Scene


def paid(scene: Scene) -> None:
    scene.charged("pi_1", "ch_1", 1)
    scene.session("completed", 2)


def declined_then_paid(scene: Scene) -> None:
    scene.declined(0)
    scene.declined(30)
    scene.charged("pi_1", "ch_1", 60)
    scene.session("completed", 61)


def unpaid(scene: Scene) -> None:
    scene.session("completed", 2, payment_status="unpaid")


def async_succeeded(scene: Scene) -> None:
    unpaid(scene)
    scene.session("async_payment_succeeded", 3 * DAY)
    scene.charged("pi_1", "ch_1", 3 * DAY)


def async_failed(scene: Scene) -> None:
    unpaid(scene)
    scene.session("async_payment_failed", 3 * DAY, payment_status="unpaid")


def async_failed_then_card(scene: Scene) -> None:
    async_failed(scene)
    scene.session("completed", 4 * DAY, id="cs_2", payment_intent="pi_2")


def expired_then_paid(scene: Scene) -> None:
    closed = {"status": "expired", "payment_status": "unpaid", "payment_intent": None}
    scene.session("expired", DAY, **closed)
    scene.session("completed", 2 * DAY, id="cs_2")


def paid_twice(scene: Scene) -> None:
    paid(scene)
    scene.session("completed", DAY, id="cs_2", payment_intent="pi_2")


def no_customer_no_intent(scene: Scene) -> None:
    scene.session("completed", 2, payment_intent=None, metadata=None)


def other_currency(scene: Scene) -> None:
    scene.session("completed", 2, currency="jpy", amount_total=1_000)


def refunded_in_part(scene: Scene) -> None:
    paid(scene)
    scene.refund("created", scene.amount.minor // 4, DAY, made=DAY)


def refunded(scene: Scene) -> None:
    refunded_in_part(scene)
    rest = scene.amount.minor - scene.amount.minor // 4
    scene.refund("created", rest, 2 * DAY, made=2 * DAY, status="pending")
    scene.refund("updated", rest, 4 * DAY, made=2 * DAY)


def refund_failed(scene: Scene) -> None:
    paid(scene)
    whole = scene.amount.minor
    scene.refund("created", whole, DAY, made=DAY, status="pending")
    scene.refund("updated", whole, 5 * DAY, made=DAY, status="failed")
    scene.refund("failed", whole, 5 * DAY + 2, made=DAY, status="failed")


def disputed(scene: Scene) -> None:
    paid(scene)
    scene.dispute("created", "needs_response", 2 * DAY, moved=0)
    scene.dispute("funds_withdrawn", "needs_response", 2 * DAY, moved=1)


def dispute_won(scene: Scene) -> None:
    disputed(scene)
    scene.dispute("updated", "under_review", 9 * DAY, moved=1)
    scene.dispute("closed", "won", 20 * DAY, moved=2)
    scene.dispute("funds_reinstated", "won", 20 * DAY, moved=2)


def dispute_lost(scene: Scene) -> None:
    disputed(scene)
    scene.dispute("closed", "lost", 20 * DAY, moved=1)


def inquiry(scene: Scene) -> None:
    paid(scene)
    scene.dispute("created", "warning_needs_response", 2 * DAY, moved=0)
    scene.dispute("closed", "warning_closed", 20 * DAY, moved=0)


def invoice_paid_late(scene: Scene) -> None:
    scene.bill("finalized", 0)
    scene.bill("sent", 5)
    scene.bill_paid(45 * DAY)


def invoice_refunded(scene: Scene) -> None:
    scene.bill("finalized", 0)
    scene.bill_paid(20 * DAY)
    scene.refund("created", scene.amount.minor, 25 * DAY, made=25 * DAY)


def invoice_of_older_version(scene: Scene) -> None:
    """Before 2025-03-31 an invoice named its charge, and a refund might name nothing else."""
    fields = {"status": "paid", "amount_paid": scene.amount.minor, "charge": "ch_1"}
    scene.bill("finalized", 0)
    scene.bill("paid", DAY, **fields, status_transitions={"paid_at": START + DAY})
    scene.refund("created", scene.amount.minor, 2 * DAY, made=2 * DAY, payment_intent=None)


def invoice_voided(scene: Scene) -> None:
    scene.bill("finalized", 0)
    scene.bill("voided", DAY, status="void", status_transitions={"voided_at": START + DAY})


def subscribed(scene: Scene) -> None:
    scene.begun()


def renewed(scene: Scene) -> None:
    scene.begun()
    scene.subscribed("updated", "active", MONTH, month=1)
    scene.period_paid(1, MONTH + 60)


def card_expired_then_retried(scene: Scene) -> None:
    scene.begun()
    retry = START + MONTH + 3 * DAY
    scene.period("payment_failed", 1, MONTH, next_payment_attempt=retry)
    scene.subscribed("updated", "past_due", MONTH, month=1)
    scene.period("payment_failed", 1, MONTH + 3 * DAY, attempt_count=2)
    scene.period_paid(1, MONTH + 5 * DAY)
    scene.subscribed("updated", "active", MONTH + 5 * DAY, month=1)


def cancelled_here(scene: Scene) -> None:
    """`cancel_here` of the histories stands for our own request, anywhere among the events."""
    scene.begun()
    scene.subscribed("deleted", "canceled", 9 * DAY, **_ended(9 * DAY))


def cancelled_there(scene: Scene) -> None:
    """On the provider's pages: to the end of the period, by a date instead of a flag."""
    scene.begun()
    asked = {"cancel_at": START + MONTH, "canceled_at": START + 9 * DAY}
    scene.subscribed("updated", "active", 9 * DAY, **asked)
    scene.subscribed("deleted", "canceled", MONTH, **asked | {"ended_at": START + MONTH})


def given_up(scene: Scene) -> None:
    scene.begun()
    scene.period("payment_failed", 1, MONTH)
    scene.subscribed("updated", "past_due", MONTH, month=1)
    scene.subscribed("deleted", "canceled", MONTH + 20 * DAY, month=1, **_ended(MONTH + 20 * DAY))


def plan_changed(scene: Scene) -> None:
    scene.begun()
    scene.subscribed("updated", "active", 9 * DAY, price=2 * scene.amount.minor)


def subscription_of_older_version(scene: Scene) -> None:
    old = {"current_period_start": START, "current_period_end": START + MONTH}
    item = scene._item(0, scene.amount.minor)
    del item["current_period_start"], item["current_period_end"]
    scene.subscribed("updated", "active", 0, items={"data": [item]}, **old)
    details = {"metadata": {"subscription": scene.subscription}}
    scene.period(
        *("paid", 0, 2),
        parent=None,
        subscription="sub_1",
        subscription_details=details,
        status="paid",
        amount_paid=scene.amount.minor,
        charge="ch_1",
        payment_intent="pi_1",
    )
    scene.session("completed", 4, **SUBSCRIPTION_SESSION)


def renewal_refunded(scene: Scene) -> None:
    renewed(scene)
    at = MONTH + 2 * DAY
    scene.refund("created", scene.amount.minor, at, made=at, payment_intent="pi_2", charge="ch_2")


def subscription_disputed(scene: Scene) -> None:
    scene.begun()
    scene.dispute("funds_withdrawn", "needs_response", 2 * DAY, moved=1)
    scene.dispute("closed", "lost", 20 * DAY, moved=1)


def _ended(at: int) -> dict[str, int]:
    return {"canceled_at": START + at, "ended_at": START + at}


Story = Callable[[Scene], None]

ONE_OFF: dict[str, Story] = {
    "paid at once": paid,
    "declined, then paid": declined_then_paid,
    "unpaid": unpaid,
    "bank payment arrived": async_succeeded,
    "bank payment failed": async_failed,
    "bank payment failed, then card": async_failed_then_card,
    "page expired, then paid": expired_then_paid,
    "no customer, no intent": no_customer_no_intent,
    "paid in another currency": other_currency,
    "refunded in part": refunded_in_part,
    "refunded in full": refunded,
    "refund failed": refund_failed,
    "disputed": disputed,
    "dispute won": dispute_won,
    "dispute lost": dispute_lost,
    "inquiry of a bank": inquiry,
}
INVOICED: dict[str, Story] = {
    "invoice paid late": invoice_paid_late,
    "invoice refunded": invoice_refunded,
    "invoice of an older version": invoice_of_older_version,
    "invoice voided": invoice_voided,
}
SUBSCRIBED: dict[str, Story] = {
    "subscribed": subscribed,
    "renewed": renewed,
    "card expired, then retried": card_expired_then_retried,
    "cancelled here": cancelled_here,
    "cancelled there": cancelled_there,
    "given up": given_up,
    "plan changed": plan_changed,
    "subscription of an older version": subscription_of_older_version,
    "renewal refunded": renewal_refunded,
    "subscription disputed": subscription_disputed,
}
# Which of two full payments came first is told by their times; a term begins with the first known.
BOOKS_ONLY: dict[str, Story] = {"paid twice": paid_twice}
STORIES = ONE_OFF | INVOICED | SUBSCRIBED
