"""Where a sign-up meets the payment provider: open the hosted page, ask how it went.

The network is spoken to outside transactions; what it says is booked by the same actions as an
event's, so a webhook that never comes is only late.
"""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.accounts.models import User
from portal.payments import asking
from portal.payments.actions.checkout import record_checkout
from portal.payments.asking import Heard
from portal.payments.models import Checkout, CheckoutState, Order
from portal.payments.providers import CheckoutRequest, HostedCheckout, Recurring, provider
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.settlement import follow
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState

OVER = [CheckoutState.FAILED, CheckoutState.EXPIRED]


def hosted_page(*, actor: User | None, application: Application, at: datetime) -> str:
    """The address to pay at. An open session is used again, so that nobody pays twice.

    Raises ProviderError when the provider does not answer, NotPossibleError when there is
    nothing to pay (any more).
    """
    order = application.order
    if order is None or order.was_paid:
        raise NotPossibleError("nothing is to be paid")
    source = provider()
    for checkout in order.checkouts.filter(provider=source.name).unsettled():
        ask_provider(checkout=checkout, at=at)
        checkout.refresh_from_db()
        if checkout.state == CheckoutState.OPEN and checkout.url:
            return checkout.url
        if checkout.state not in OVER:
            raise NotPossibleError("the payment is under way")
    hosted = source.create_checkout(_request(application, order))
    if not _recorded(actor, application, order, hosted):
        source.expire_checkout(hosted.session_id)
        raise NotPossibleError("the place was given up meanwhile")
    return hosted.url


@transaction.atomic
def _recorded(
    actor: User | None, application: Application, order: Order, hosted: HostedCheckout
) -> bool:
    """Keep the session, unless the place was given up while the provider opened it."""
    locked = Application.objects.select_for_update(of=("self",)).get(pk=application.pk)
    if locked.state != ApplicationState.PAYMENT:
        return False
    record_checkout(
        actor=actor,
        order=order,
        provider=provider().name,
        session_id=hosted.session_id,
        url=hosted.url,
    )
    return True


def _request(application: Application, order: Order) -> CheckoutRequest:
    back = settings.BASE_URL + reverse("sponsors:returned", args=[application.reference])
    return CheckoutRequest(
        reference=str(order.reference),
        description=order.description,
        amount=order.amount,
        email=order.billing_email,
        success_url=back,
        cancel_url=back,
        attempt=order.checkouts.filter(state__in=OVER).count(),
        recurring=_recurring(order),
    )


def _recurring(order: Order) -> Recurring | None:
    """What is charged each period after the first, where that was chosen."""
    subscription = order.subscription
    if subscription is None:
        return None
    return Recurring(
        subscription=str(subscription.reference),
        price=subscription.price,
        interval=subscription.interval,
        interval_count=subscription.interval_count,
    )


def ask_provider(*, checkout: Checkout, at: datetime) -> None:
    """Ask how a session stands, and book what it says."""
    asking.ask_provider(checkout=checkout, follow=follow, at=at)


def look_again(order: Order) -> Heard:
    """The repair of a webhook that is late: of a visit to the payment page, or of an invoice."""
    now = timezone.now()
    heard = asking.look_at_invoice(order=order, follow=follow, at=now)
    if heard != Heard.NOTHING:
        return heard
    return asking.look_again(order=order, follow=follow, at=now)


def close_hosted_pages(*, application: Application, at: datetime) -> bool:
    """End the open sessions of an application; True when nobody can pay there any more."""
    for checkout in _unsettled(application):
        asking.close_session(checkout=checkout, follow=follow, at=at)
    return not _unsettled(application)


def _unsettled(application: Application) -> list[Checkout]:
    own = Checkout.objects.filter(order=application.order, provider=provider().name)
    return list(own.unsettled())
