"""What the payment page's returning visitor is told, who cannot open what was paid."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.payments.models import Checkout, CheckoutState
from portal.payments.outcome import TOLD_FOR, outcome_of
from portal.payments.tests.factories import make_order

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("order_state", "visit", "declined", "told"),
    [
        ("paid", CheckoutState.PAID, True, "paid"),
        ("partly_refunded", CheckoutState.PAID, False, "paid"),
        ("open", CheckoutState.PAID, False, "waiting"),
        ("open", CheckoutState.PROCESSING, False, "waiting"),
        ("open", CheckoutState.FAILED, False, "refused"),
        ("open", CheckoutState.OPEN, True, "refused"),
        ("open", CheckoutState.OPEN, False, "open"),
        ("open", CheckoutState.EXPIRED, False, "open"),
        ("refunded", CheckoutState.PAID, False, "silent"),
        ("disputed", CheckoutState.PAID, False, "silent"),
        ("short", CheckoutState.PAID, False, "silent"),
    ],
)
def test_the_newest_visit_is_told(order_state: str, visit: str, declined: bool, told: str) -> None:
    now = timezone.now()
    order = make_order()
    order.state = order_state
    Checkout.objects.create(
        order=order,
        provider="twin",
        session_id="cs_1",
        state=visit,
        declined_at=now if declined else None,
    )
    assert outcome_of(order, now) == told
    assert outcome_of(order, now + TOLD_FOR + timedelta(days=1)) == "silent"


def test_without_a_visit_and_after_it_was_given_up_nothing_is_told() -> None:
    now = timezone.now()
    order = make_order()
    assert outcome_of(order, now) == "silent"
    Checkout.objects.create(order=order, provider="twin", session_id="cs_1")
    order.closed_at = now
    assert outcome_of(order, now) == "silent"
