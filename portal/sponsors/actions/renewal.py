"""Renewing a term, reminding of its end, and its end when nobody renewed it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from portal.members.models import Cancellation, Organisation, Term, Tier
from portal.payments.models import Subscription
from portal.payments.models.subscription import SubscriptionState
from portal.sponsors import notices, renewal_letters
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.models import Agreement, Application, RenewalNotice
from portal.sponsors.models.application import UNDER_WAY, ApplicationState
from portal.sponsors.payers import known_values

CHARGED = [SubscriptionState.ACTIVE, SubscriptionState.TRIALING]


def charging(term: Term) -> Subscription | None:
    """The subscription that will renew it by itself: running, not cancelled, not in trouble."""
    found = Subscription.objects.filter(orders__term__line=term.line).renewing()
    return found.filter(state__in=CHARGED).order_by("-current_period_end").first()


@transaction.atomic
def begin_renewal(
    *, actor: User | None, term: Term, tier: Tier, currency: str, at: datetime
) -> Application:
    """The application that renews `term`, filled in with what is known; one that is under way
    stays as it is. The agreement need not be accepted again while it is the same.
    """
    locked = _locked(term)
    begun = Application.objects.filter(renews=locked)
    under_way = begun.filter(state__in=UNDER_WAY).first()
    if under_way is not None:
        return under_way
    if not Term.objects.renewable().filter(pk=locked.pk).exists():
        raise NotPossibleError(_("This term was renewed already, or its money went back."))
    if charging(locked) is not None:
        raise NotPossibleError(_("It renews by itself. End that first to choose for yourself."))
    draft = begun.filter(state=ApplicationState.DRAFT).first() or Application(
        applicant=actor, renews=locked
    )
    fill_in(draft, locked.organisation, tier, currency, at)
    draft.save()
    audit.record(actor=actor, verb="application.renew", subject=draft, tier=str(tier))
    return draft


def fill_in(
    draft: Application, organisation: Organisation, tier: Tier, currency: str, at: datetime
) -> None:
    """With what is known of the organisation by now."""
    draft.organisation, draft.tier, draft.currency = organisation, tier, currency
    draft.logo = organisation.logo
    for name, value in known_values(organisation).items():
        setattr(draft, name, value)
    _accept_as_before(draft, organisation, at)


def _accept_as_before(draft: Application, organisation: Organisation, at: datetime) -> None:
    """The same text that was accepted last holds on; a newer one is to be read first."""
    current = Agreement.objects.current(at)
    sent = Application.objects.filter(organisation=organisation, submitted_at__isnull=False)
    accepted = sent.filter(agreement=current).order_by("-accepted_at").first()
    if accepted is None or current is None:
        if draft.agreement != current:
            draft.agreement, draft.agreement_sha256 = None, ""
            draft.accepted_by, draft.accepted_at = "", None
        return
    draft.agreement, draft.agreement_sha256 = current, accepted.agreement_sha256
    draft.accepted_by, draft.accepted_at = accepted.accepted_by, accepted.accepted_at


@transaction.atomic
def remind_of_end(*, term: Term, at: datetime) -> bool:
    """The newest letter about its end that is due, if it was not sent; whether one was."""
    locked = _locked(term)
    if not Term.objects.running_out(at).filter(pk=locked.pk).exists():
        return False
    subscription = charging(locked)
    ends = locked.ends_at
    if subscription is not None and subscription.current_period_end is not None:
        ends = min(ends, subscription.current_period_end)
    days = notices.newest_due(begins=locked.starts_at, ends=ends, at=at)
    if days is None or locked.renewal_notices.filter(days__lte=days).exists():
        return False
    if subscription is not None and days <= 0:  # it is being charged about now
        return False
    RenewalNotice.objects.create(term=locked, days=days, sent_at=at)
    if subscription is not None:
        renewal_letters.will_be_charged(locked, subscription, days)
    else:
        renewal_letters.ends(locked, days)
    return True


@transaction.atomic
def lapse(*, application: Application, at: datetime) -> bool:
    """Its time and the grace after it are over: say so, once. What is shown ended by the dates."""
    rows = Application.objects.select_for_update(of=("self",)).select_related("order__term")
    ended = rows.get(pk=application.pk)
    if ended.state != ApplicationState.ACTIVE or ended.order is None:
        return False
    term = Term.objects.lapsed(at).with_last().filter(order=ended.order).first()
    if term is None:
        return False
    ended.state = ApplicationState.LAPSED
    ended.save()
    if not Cancellation.objects.standing().filter(term=term).exists():  # they have their own
        renewal_letters.lapsed(term, cancelled=term.was_cancelled)
    audit.record(actor=None, verb="application.lapse", subject=ended, ended=term.ends_at)
    return True


def _locked(term: Term) -> Term:
    rows = Term.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("organisation__logo", "order").get(pk=term.pk)
