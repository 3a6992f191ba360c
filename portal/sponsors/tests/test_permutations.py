"""Any sequence and repetition of a story's events comes to the same books, terms and letters."""

from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.lib.models import OutboxMail
from portal.members.models import Term
from portal.payments.actions.event import store_event
from portal.payments.models import LedgerEntry, Order
from portal.sponsors.inbox import process_event
from portal.sponsors.models import Application
from tests.supporters import event, make_application, refund_event, session_event

pytestmark = pytest.mark.django_db(transaction=False)
START = 1_790_000_000


def story(name: str, application: Application) -> list[dict[str, Any]]:
    """The events of a story, as they happened."""
    order = application.order
    assert order is not None
    declined = event("payment_intent.payment_failed", {"metadata": {"order": str(order.reference)}})
    unpaid = session_event(application, payment_status="unpaid")
    arrived = session_event(application, "async_payment_succeeded")
    paid = session_event(application)
    extra = event("charge.succeeded", {"id": "ch_1"})
    part = refund_event(application, 5_000_00, created=START + 600)
    rest = refund_event(application, 15_000_00, created=START + 900)
    rest_updated = refund_event(application, 15_000_00, "updated", created=START + 900)
    rest_failed = refund_event(
        application, 15_000_00, "failed", status="failed", created=START + 900
    )
    refused = session_event(application, "async_payment_failed", payment_status="unpaid", id="cs_a")
    stories = {
        "paid": [extra, paid],
        "declined, then paid": [declined, extra, paid],
        "bank": [unpaid, arrived],
        "bank refused, then card": [refused, declined, paid],
        "refunded in part": [paid, part],
        "refunded": [paid, part, rest, rest_updated],
        "refund failed": [unpaid, arrived, part, rest, rest_failed],
    }
    return [body | {"created": START + 60 * place} for place, body in enumerate(stories[name])]


STORIES = [
    *("paid", "declined, then paid", "bank", "bank refused, then card"),
    *("refunded in part", "refunded", "refund failed"),
]

IN_ORDER: dict[str, tuple[object, ...]] = {}


def outcome(name: str, sequence: list[int]) -> tuple[object, ...]:
    """What is in the books after the events came in that sequence; then it is all undone."""
    with transaction.atomic():
        application = make_application()
        events = story(name, application)
        from django.utils import timezone

        for place in sequence:
            stored = store_event(provider="twin", event=events[place % len(events)])
            process_event(stored.pk, at=timezone.now())
        order = Order.objects.get()
        keys = OutboxMail.objects.values_list("key", flat=True)
        result = (
            sorted(
                LedgerEntry.objects.values_list("kind", "amount_minor", "currency", "occurred_at")
            ),
            list(Term.objects.values_list("tier_name", "starts_at", "ends_at", "ended_at")),
            Application.objects.get().state,
            (order.state, order.paid_at, bool(order.receipt_number)),
            sorted(
                key.replace(str(application.reference), "A").replace(f"re_{order.pk}_", "re_O_")
                for key in keys
            ),
        )
        transaction.set_rollback(True)
    return result


@pytest.mark.parametrize("name", STORIES)
@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_no_sequence_of_events_changes_the_outcome(name: str, data: st.DataObject) -> None:
    count = {"paid": 2, "declined, then paid": 3, "bank": 2, "bank refused, then card": 3}.get(
        name, {"refunded in part": 2, "refunded": 4, "refund failed": 5}.get(name, 0)
    )
    in_order = list(range(count))
    shuffled = data.draw(st.permutations(in_order))
    repeated = data.draw(st.lists(st.sampled_from(in_order), max_size=4))
    sequence = list(shuffled)
    for place, again in enumerate(repeated):
        sequence.insert(data.draw(st.integers(0, len(sequence)), label=f"place {place}"), again)
    if name not in IN_ORDER:
        IN_ORDER[name] = outcome(name, in_order)
    assert outcome(name, sequence) == IN_ORDER[name]
