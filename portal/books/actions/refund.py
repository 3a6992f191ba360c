"""Refunds by the provider: promised in a row, sent with its key, booked when the event comes.

Between any two steps the process may die. The row is committed before the provider is asked;
asked again with the same key the provider gives the same refund; the ledger books each once.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.books.actions.transfer import balance
from portal.books.models import RefundRequest
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry, Order
from portal.payments.providers import ProviderError, ProviderRefusedError, provider

logger = logging.getLogger(__name__)

KEY_LASTS = timedelta(hours=20)  # providers forget the key of a request after a day


class RefundError(ValueError):
    """The words tell the treasurer why it cannot be given back."""


def refundable(payment: LedgerEntry) -> Money:
    """What of a payment may still go back: not refunded, not promised, not taken by a bank."""
    own = RefundRequest.objects.with_booking().filter(payment=payment, refused_at__isnull=True)
    live = own.filter(returned=False)  # type: ignore[misc]  # annotated
    waiting = RefundRequest.objects.pending().filter(order=payment.order_id)
    rest = payment.amount_minor - (live.aggregate(sum=Sum("amount_minor"))["sum"] or 0)
    here = balance(payment.order).minor - (waiting.aggregate(sum=Sum("amount_minor"))["sum"] or 0)
    return Money(max(min(rest, here), 0), payment.currency)


def may_refund(payment: LedgerEntry) -> bool:
    """Whether the provider of today took this payment in the currency of its order."""
    return (
        payment.kind == EntryKind.PAYMENT
        and payment.provider == provider().name
        and payment.currency == payment.order.currency
    )


@transaction.atomic
def ask_refund(
    *, actor: User, payment: LedgerEntry, amount: Money, reason: str, key: UUID
) -> RefundRequest:
    """Promise it. The same key again gives the same row. Raises RefundError."""
    order = Order.objects.select_for_update().get(pk=payment.order_id)
    known = RefundRequest.objects.filter(key=key).first()
    if known is not None:
        return known
    if not may_refund(payment):
        raise RefundError(_("This payment did not come through the payment provider."))
    left = refundable(payment)
    if not 0 < amount.minor <= left.minor or amount.currency != left.currency:
        raise RefundError(_("At most %(amount)s can go back.") % {"amount": left})
    asked = RefundRequest.objects.create(
        key=key,
        order=order,
        payment=payment,
        amount_minor=amount.minor,
        currency=amount.currency,
        reason=reason,
        asked_by=actor,
    )
    audit.record(actor=actor, verb="refund.ask", subject=order, amount=amount, reason=reason)
    return asked


def send_refund(*, request: RefundRequest, at: datetime) -> RefundRequest:
    """Ask the provider, outside transactions; whatever happens is kept with the row.

    Raises ProviderError when there was no answer: the sweep sends it again.
    """
    request.refresh_from_db()
    if request.refund_id or request.refused_at:
        return request
    try:
        refund_id = _at_provider(request, at)
    except ProviderRefusedError as error:
        return _note(request, refused_at=timezone.now(), last_error=str(error)[:300])
    except ProviderError as error:
        _note(request, last_error=str(error)[:300])
        raise
    return _note(request, refund_id=refund_id, last_error="")


def _at_provider(request: RefundRequest, at: datetime) -> str:
    source, payment, key = provider(), request.payment.provider_ref, f"refund-{request.key}"
    if at - request.asked_at > KEY_LASTS:
        known = source.find_refund(payment, key=key)
        if known:
            return known
    return source.refund(payment, request.amount, key=key)


def _note(request: RefundRequest, **fields: object) -> RefundRequest:
    unknown = RefundRequest.objects.filter(pk=request.pk, refund_id="", refused_at__isnull=True)
    unknown.update(**fields)
    request.refresh_from_db()
    return request


def send_waiting(*, asked_before: datetime, at: datetime, limit: int = 50) -> int:
    """Those whose sender died or got no answer; how many the provider answered."""
    answered = 0
    for request in RefundRequest.objects.unsent(asked_before).select_related("payment")[:limit]:
        try:
            send_refund(request=request, at=at)
            answered += 1
        except ProviderError as error:
            logger.warning("refund %s is not sent yet: %s", request.pk, error)
    return answered
