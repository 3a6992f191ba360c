"""The end of the automatic renewal alone, and its return; the support itself goes on."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.members import payer_letters
from portal.members.models import Cancellation, Organisation, RenewalStop, Term
from portal.payments.models import Subscription


class NothingToStopError(Exception):
    """It takes no more money already."""


class NothingToResumeError(Exception):
    """It is over, was never stopped, or something else follows already."""


def terms_of(subscription: Subscription, organisation: Organisation) -> list[Term]:
    """What it paid for, the newest first."""
    return list(Term.objects.filter(organisation=organisation, order__subscription=subscription))


@transaction.atomic
def stop_renewal(
    *,
    actor: User,
    organisation: Organisation,
    subscription: Subscription,
    at: datetime,
    is_told: bool = True,
) -> RenewalStop:
    """No more money by itself. Raises NothingToStopError.

    `is_told`: by a letter which says that the support goes on to its end.

    The provider is told by `portal/members/renewing.py`, and again by a sweep if it did not answer.
    """
    locked = Subscription.objects.select_for_update().get(pk=subscription.pk)
    stops = RenewalStop.objects.filter(subscription=locked)
    if locked.renews_at() is None or stops.untold().exists():
        raise NothingToStopError
    stops.take_back(actor=None, at=at)  # on the provider's own pages
    stop = RenewalStop.objects.create(subscription=locked, stopped_by=actor, stopped_at=at)
    audit.record(actor=actor, verb="renewal.stop", subject=stop)
    if is_told:
        payer_letters.renewal_stopped(organisation, stop, terms_of(locked, organisation)[0])
    return stop


@transaction.atomic
def note_told(*, subscription: Subscription, at: datetime) -> None:
    """The provider answered that it takes no more money."""
    RenewalStop.objects.untold().filter(subscription=subscription).update(told_at=at)


def check_resumable(*, subscription: Subscription, organisation: Organisation) -> None:
    """Raises NothingToResumeError where it would be charged for what is paid, or cancelled."""
    terms = Term.objects.filter(order__subscription=subscription, organisation=organisation)
    cancelled = Cancellation.objects.standing().filter(term__in=terms)
    others = Term.objects.filter(renews__in=terms, ended_at=None).exclude(
        order__subscription=subscription
    )
    if subscription.is_over or cancelled.exists() or others.exists():
        raise NothingToResumeError


@transaction.atomic
def note_resumed(
    *, actor: User, organisation: Organisation, subscription: Subscription, at: datetime
) -> None:
    """The provider takes money again, where it said so."""
    locked = Subscription.objects.select_for_update().get(pk=subscription.pk)
    if locked.renews_at() is None:
        raise NothingToResumeError
    RenewalStop.objects.filter(subscription=locked).take_back(actor=actor, at=at)
    audit.record(actor=actor, verb="renewal.resume", subject=locked)
    payer_letters.renewal_resumed(organisation, locked, at=at)
