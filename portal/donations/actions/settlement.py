"""What a payment, a refund or a refusal means for a donation. Runs as often as you like."""

from django.db import transaction

from portal.donations import letters
from portal.donations.models import Donation
from portal.lib import audit
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import EntryKind
from portal.payments.models import CheckoutState, FailedCharge, Order
from portal.payments.models.subscription import SubscriptionState


def follow(touched: Touched) -> None:
    """Settle the donations that an event was about, each once."""
    found = {
        pk for order in touched.orders for pk in Donation.objects.of_order(order).values_list("pk")
    }
    subscriptions = [subscription.pk for subscription in touched.subscriptions]
    found |= set(Donation.objects.filter(subscription__in=subscriptions).values_list("pk"))
    for (pk,) in sorted(found):
        settle_donation(donation_pk=pk)


@transaction.atomic(savepoint=False)
def settle_donation(*, donation_pk: int) -> None:
    """Note when it was first paid, and promise the letters that its books ask for."""
    donation = (
        Donation.objects.select_for_update(of=("self",))
        .select_related("order", "subscription")
        .get(pk=donation_pk)
    )
    for order in donation.orders():
        _follow_order(donation, order)
    _note_first_payment(donation)
    _follow_refusals(donation)
    if donation.first_paid_at is not None:
        _follow_subscription(donation)


def _follow_order(donation: Donation, order: Order) -> None:
    if not order.was_paid:
        return
    letters.paid(donation, order)
    for entry in order.entries.filter(kind=EntryKind.REFUND.value):
        letters.refunded(donation, order, entry)


def _note_first_payment(donation: Donation) -> None:
    """The earliest payment, whichever was booked first."""
    paid = donation.orders().filter(paid_at__isnull=False).order_by("paid_at").first()
    if paid is None or donation.first_paid_at == paid.paid_at:
        return
    if donation.first_paid_at is None:
        audit.record(actor=donation.donor, verb="donation.paid", subject=donation)
    donation.first_paid_at = paid.paid_at
    donation.save(update_fields=["first_paid_at"])


def _follow_refusals(donation: Donation) -> None:
    """The bank refused what was to come later: nobody watches the page by then."""
    for checkout in donation.order.checkouts.filter(state=CheckoutState.FAILED):
        letters.failed(donation, checkout)
        if donation.failed_at is None:
            donation.failed_at = checkout.asked_at
            donation.save(update_fields=["failed_at"])


def _follow_subscription(donation: Donation) -> None:
    subscription = donation.subscription
    if subscription is None:
        return
    if subscription.state == SubscriptionState.CANCELED:
        letters.ended(donation)
    for charge in _failed_charges(donation):
        letters.charge_failed(donation, charge)


def _failed_charges(donation: Donation) -> list[FailedCharge]:
    """Those of later periods: at the first one the donor watched the page. The letter says how it
    stands, so that it is true however late the news of the failure comes.
    """
    charges = FailedCharge.objects.filter(subscription=donation.subscription)
    first = donation.order.provider_invoice_id
    return list(charges.exclude(provider_invoice_id=first).order_by("attempt"))
