"""What the page of a donation says: the true state in words, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from portal.donations.models import Donation
from portal.payments.arithmetic import OrderState
from portal.payments.asking import Heard, may_be_taken
from portal.payments.models import Checkout, CheckoutState
from portal.payments.outcome import is_confirming

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Standing:
    """Tone and word of the badge, the answer as heading, and a notice."""

    key: str
    tone: str
    word: Words
    heading: Words
    title: Words = ""
    text: Words = ""
    may_pay: bool = False


PAID = Standing(
    *("paid", "good", _("Paid"), _("Thank you for your donation")),
    _("It has arrived"),
    _("The receipt is on its way by mail, and stands below."),
)
PART_BACK = Standing(
    *("part", "good", _("Refunded in part"), _("A part of your donation went back"))
)
REFUNDED = Standing(
    *("refunded", "info", _("Refunded"), _("Your donation was refunded")),
    _("The money is on its way back"),
    _("Banks take some days for it."),
)
DISPUTED = Standing(
    *("disputed", "warn", _("Taken back"), _("Your bank took the donation back")),
    _("Your bank asked for the money back"),
    _("If you did not wish that, tell your bank, and write to us."),
)
CONFIRMING = Standing(
    *("confirming", "info", _("Being confirmed"), _("Your payment is being confirmed")),
    _("We ask the payment provider"),
    _("This page looks again by itself until it knows."),
)
WAITING = Standing(
    *("waiting", "info", _("Waiting for the bank"), _("The bank has not answered yet")),
    _("It has not arrived yet"),
    _("Bank payments take up to some days. We write when the money is here, or refused."),
)
SHORT = Standing(
    *("short", "warn", _("Paid in part"), _("Less than the amount arrived")),
    _("It is not whole"),
    _("The treasurer was told and writes to you."),
)
FAILED = Standing(
    *("failed", "bad", _("Refused"), _("The bank refused the payment")),
    _("Nothing was taken"),
    _("Try again by card, or from another account."),
    may_pay=True,
)
DECLINED = Standing(
    *("declined", "bad", _("Declined"), _("The card was declined")),
    _("Nothing was taken"),
    _("Try again with another card."),
    may_pay=True,
)
OPEN = Standing(
    *("open", "warn", _("Not paid"), _("Your donation is not paid yet")),
    may_pay=True,
)
TROUBLED = Standing(
    *("troubled", "warn", _("Not taken"), _("The last payment could not be taken")),
    _("The card may have expired"),
    _("Change it below; the payment is then tried again."),
)
ENDING = Standing(
    *("ending", "info", _("Ends"), _("Your recurring donation ends")),
    _("Nothing is taken any more"),
    _("It was ended on the pages of the payment provider. What was paid stays with us."),
)
ENDED = Standing(*("ended", "info", _("Ended"), _("Your recurring donation has ended")))

BY_ORDER = {
    OrderState.PAID: PAID,
    OrderState.PARTLY_REFUNDED: PART_BACK,
    OrderState.REFUNDED: REFUNDED,
    OrderState.DISPUTED: DISPUTED,
    OrderState.SHORT: SHORT,
}


def standing_of(donation: Donation, heard: Heard) -> Standing:
    """What is true now, as far as the provider was heard."""
    if donation.subscription and donation.order.was_paid:
        if donation.subscription.is_over:
            return ENDED
        if donation.subscription.is_troubled:
            return CONFIRMING if may_be_taken(donation.subscription) else TROUBLED
        if donation.subscription.renews_at() is None:
            return ENDING
    if is_confirming(donation.order, heard):
        return CONFIRMING
    known = BY_ORDER.get(OrderState(donation.order.state))
    return known or _unpaid(donation.order.checkouts.first())


def _unpaid(checkout: Checkout | None) -> Standing:
    if checkout is None:
        return OPEN
    if checkout.state == CheckoutState.PROCESSING:
        return WAITING
    if checkout.state == CheckoutState.FAILED:
        return FAILED
    return DECLINED if checkout.declined_at else OPEN
