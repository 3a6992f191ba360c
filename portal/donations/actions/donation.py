"""Placing a donation: the order is what is paid, the donation who gives it and why."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.donations.models import Dedication, Donation
from portal.lib import audit, languages
from portal.lib.models import OutboxMail
from portal.lib.money import Money
from portal.payments.actions.order import place_order
from portal.payments.actions.subscription import begin_subscription
from portal.payments.models import Order, Subscription


@dataclass(frozen=True, slots=True)
class Donor:
    """Who gives, and what they wish to say."""

    name: str
    email: str
    is_named: bool = False
    message: str = ""
    dedication: str = ""


@transaction.atomic
def place_donation(
    *, actor: User | None, donor: Donor, amount: Money, interval: str, provider: str
) -> Donation:
    """A donation that waits for its money; `interval` is empty, month or year."""
    order = place_order(
        actor=actor,
        description=described(interval),
        amount=amount,
        billing_name=donor.name,
        billing_email=donor.email,
    )
    donation = Donation.objects.create(
        order=order,
        subscription=_begun(actor, order, amount, interval, provider) if interval else None,
        interval=interval,
        donor=actor,
        name=donor.name,
        email=donor.email,
        is_named=donor.is_named,
        message=donor.message,
        dedication=donor.dedication,
        dedication_state=Dedication.WAITING if donor.dedication else Dedication.NONE,
    )
    audit.record(actor=actor, verb="donation.place", subject=donation, interval=interval)
    return donation


@languages.for_the_record
def described(interval: str) -> str:
    names = {"": _("Donation"), "month": _("Monthly donation"), "year": _("Yearly donation")}
    return names[interval]


def _begun(
    actor: User | None, order: Order, amount: Money, interval: str, provider: str
) -> Subscription:
    return begin_subscription(
        actor=actor, order=order, provider=provider, price=amount, interval=interval
    )


@transaction.atomic
def forget_donation(*, donation: Donation, before: datetime) -> bool:
    """Delete one that was never paid, with all that names its donor; False when it was paid now."""
    order = Order.objects.select_for_update(no_key=True).get(pk=donation.order_id)
    if not Donation.objects.never_paid(before).filter(pk=donation.pk).exists():
        return False
    sessions = [f"donation.failed:{one.provider}:{one.session_id}" for one in order.checkouts.all()]
    OutboxMail.objects.filter(key__in=sessions).delete()
    order.events.all().delete()
    order.checkouts.all().delete()
    subscription = donation.subscription
    donation.delete()
    order.failed_charges.all().delete()
    order.delete()
    if subscription is not None:
        subscription.failed_charges.all().delete()
        subscription.delete()
    audit.record(actor=None, verb="donation.forget", subject=order)
    return True


@transaction.atomic
def choose_naming(*, actor: User | None, donation: Donation, is_named: bool) -> None:
    """The donor wishes to be named, or no longer."""
    Donation.objects.filter(pk=donation.pk).update(is_named=is_named)
    audit.record(actor=actor, verb="donation.naming", subject=donation, is_named=is_named)


def note_amount(*, actor: User | None, donation: Donation, before: Money, after: Money) -> None:
    """The donor chose another amount, which the provider took."""
    audit.record(
        actor=actor,
        verb="donation.amount",
        subject=donation.order,
        before=before,
        after=after,
    )
