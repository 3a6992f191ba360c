"""The end of a support at the end of what was paid; taken back until then."""

from datetime import datetime, timedelta

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.members import payer_letters
from portal.members.models import Cancellation, Organisation, Term
from portal.payments.models import Subscription

TOLD_FOR = timedelta(days=30)  # after an end that no letter told of yet


class NothingToEndError(Exception):
    """No term runs that was not cancelled already."""


class TooLateError(Exception):
    """It has taken effect, or was taken back already."""


@transaction.atomic
def cancel_support(
    *, actor: User, organisation: Organisation, reason: str, at: datetime
) -> list[Cancellation]:
    """What was paid runs to its end, and nothing follows; a grace ends now.

    Raises NothingToEndError.
    The provider is told by `portal/members/ending.py`, and again by a sweep if it did not answer.
    """
    locked = Organisation.objects.select_for_update(of=("self",)).get(pk=organisation.pk)
    terms = Term.objects.filter(organisation=locked).endable(at)
    standing = Cancellation.objects.standing().of(locked)
    made = [
        Cancellation.objects.create(
            term=term,
            reason=reason,
            cancelled_by=actor,
            cancelled_at=at,
            ends_renewal=_renews(term),
        )
        for term in terms.exclude(pk__in=standing.values("term")).order_by("ends_at")
    ]
    if not made:
        raise NothingToEndError
    for cancellation in made:
        audit.record(actor=actor, verb="support.cancel", subject=cancellation, reason=reason)
    if made[-1].term.in_grace(at):
        payer_letters.support_ended(made[-1])
    else:
        payer_letters.support_cancelled(locked, made[-1])
    return made


@transaction.atomic
def take_cancellation_back(
    *, actor: User, organisation: Organisation, at: datetime
) -> list[Cancellation]:
    """As if it had never been said. Raises TooLateError."""
    locked = Organisation.objects.select_for_update(of=("self",)).get(pk=organisation.pk)
    standing = Cancellation.objects.undoable(at).of(locked).select_related("term")
    undone = list(standing.order_by("term__ends_at"))
    if not undone:
        raise TooLateError
    for cancellation in undone:
        cancellation.undone_at, cancellation.undone_by = at, actor
        audit.record(actor=actor, verb="support.keep", subject=cancellation)
    standing.take_back(actor=actor, at=at)
    payer_letters.support_kept(locked, undone[-1])
    return undone


def tell_of_ends(*, at: datetime) -> int:
    """A last letter when a cancelled term is over; how many are over since a month."""
    ended = Cancellation.objects.in_effect(at).filter(term__ends_at__gt=at - TOLD_FOR)
    told = list(ended.select_related("term__organisation"))
    for cancellation in told:
        with transaction.atomic():
            payer_letters.support_ended(cancellation)
    return len(told)


def _renews(term: Term) -> bool:
    own = Subscription.objects.renewing().filter(orders__term=term)
    return own.exists()
