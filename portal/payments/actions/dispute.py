"""A bank's demand for money back. Its state is the newest told; its money is in the ledger."""

from datetime import UTC, datetime

from portal.payments.actions.alias import learn_names
from portal.payments.actions.payment import book, locked_order_of
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import EntryKind
from portal.payments.events.facts import DisputeTold
from portal.payments.models import Dispute, DisputeState, Order

NEVER = datetime.min.replace(tzinfo=UTC)
RANK = {state: place for place, state in enumerate(DisputeState.values)}


def book_dispute(provider: str, fact: DisputeTold) -> Touched:
    """Keep what is told and book the money that moved. Raises PaymentUnknownError."""
    order = locked_order_of(provider, fact.names)
    learn_names(provider, fact.names)
    _keep(provider, order, fact)
    ref = fact.dispute_id
    if fact.withdrawn:
        book(order, EntryKind.DISPUTE, -fact.amount, provider, ref, fact.opened_at)
    if fact.returned_at is not None:
        book(order, EntryKind.DISPUTE_RETURNED, fact.amount, provider, ref, fact.returned_at)
    return Touched(orders=[order])


def _keep(provider: str, order: Order, fact: DisputeTold) -> None:
    told = Dispute(
        order=order,
        provider=provider,
        dispute_id=fact.dispute_id,
        state=fact.state,
        reason=fact.reason[:60],
        amount_minor=fact.amount.minor,
        currency=fact.amount.currency,
        evidence_due_at=fact.evidence_due_at,
        opened_at=fact.opened_at,
        told_at=fact.at,
    )
    kept = Dispute.objects.filter(provider=provider, dispute_id=fact.dispute_id).first()
    if kept is None or _news(told) > _news(kept):
        told.pk = kept.pk if kept else None
        told.created_at = kept.created_at if kept else told.created_at
        told.save()


def _news(told: Dispute) -> tuple[object, ...]:
    """What ends a dispute wins, then the newest; the rest decides between events of one second."""
    due_at = told.evidence_due_at or NEVER
    place = RANK.get(told.state, -1)
    return (told.is_closed, told.told_at, place, due_at, told.amount_minor, told.reason)
