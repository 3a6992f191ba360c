"""What the payment page's returning visitor is told, who cannot open what was paid."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.payments.asking import Heard
from portal.payments.models import Checkout, CheckoutState
from portal.payments.outcome import TOLD_FOR, outcome_of
from portal.payments.tests.factories import make_order

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("order_state", "visit", "declined", "told", "unheard"),
    [
        ("paid", CheckoutState.PAID, True, "paid", "paid"),
        ("partly_refunded", CheckoutState.PAID, False, "paid", "paid"),
        ("open", CheckoutState.PAID, False, "confirming", "confirming"),
        ("open", CheckoutState.PROCESSING, False, "waiting", "waiting"),
        ("open", CheckoutState.FAILED, False, "refused", "refused"),
        ("open", CheckoutState.OPEN, True, "refused", "confirming"),
        ("open", CheckoutState.OPEN, False, "open", "confirming"),
        ("open", CheckoutState.EXPIRED, False, "open", "open"),
        ("refunded", CheckoutState.PAID, False, "silent", "silent"),
        ("disputed", CheckoutState.PAID, False, "silent", "silent"),
        ("short", CheckoutState.PAID, False, "silent", "silent"),
    ],
)
def test_the_newest_visit_is_told_as_far_as_the_provider_was_heard(
    order_state: str, visit: str, declined: bool, told: str, unheard: str
) -> None:
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
    assert outcome_of(order, now, Heard.ANSWER) == told
    assert outcome_of(order, now, Heard.SILENCE) == unheard
    assert outcome_of(order, now + TOLD_FOR + timedelta(days=1), Heard.ANSWER) == "silent"


def test_without_a_visit_and_after_it_was_given_up_nothing_is_told() -> None:
    now = timezone.now()
    order = make_order()
    assert outcome_of(order, now, Heard.NOTHING) == "silent"
    Checkout.objects.create(order=order, provider="twin", session_id="cs_1")
    order.closed_at = now
    assert outcome_of(order, now, Heard.NOTHING) == "silent"
