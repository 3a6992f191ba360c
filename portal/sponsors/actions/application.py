"""The verbs of a sign-up, in the sequence in which they happen."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from portal.members.actions.logo import forget_logo
from portal.members.models import Logo, Tier
from portal.payments.actions.order import close_order
from portal.payments.models import Order
from portal.payments.models.checkout import UNSETTLED
from portal.sponsors import letters, quote
from portal.sponsors.actions.agreement import digest
from portal.sponsors.actions.ordering import NotPossibleError, make_payable
from portal.sponsors.models import Agreement, Application
from portal.sponsors.models.application import HOLDS_PLACE, ApplicationState, PaysBy
from portal.sponsors.places import check_conflicts, locked_tier, places_left

HOLD = timedelta(hours=23)  # the hosted page of the provider lives at most 24 hours
HOLD_AFTER_REVIEW = timedelta(days=14)
DRAFT_FIELDS = (
    *("legal_name", "name", "address", "country", "vat_number", "website", "is_listed"),
    *("owner_name", "owner_email", "billing_name", "billing_email"),
    *("technical_name", "technical_email", "marketing_name", "marketing_email"),
)


class TierFullError(Exception):
    """No place is left in this tier."""


class TooManyAddressesError(NotPossibleError):
    """A draft is no means to write to strangers."""


class IncompleteError(Exception):
    """Something must be filled in first; the argument names the step."""


@transaction.atomic
def save_organisation(
    *,
    actor: User | None,
    application: Application | None,
    tier: Tier,
    currency: str,
    values: Mapping[str, object],
) -> Application:
    """Keep who applies: a new draft, or the changed one."""
    if application is None:
        draft = Application(tier=tier, currency=currency, applicant=actor)
    else:
        draft = _draft(application)
        if not letters.may_write(draft, str(values["owner_email"])):
            raise TooManyAddressesError(
                _("This draft was mailed to several addresses already. Give one of those.")
            )
    for name in DRAFT_FIELDS:
        setattr(draft, name, values[name])
    draft.name = draft.name or draft.legal_name
    draft.save()
    if application is None:
        audit.record(actor=actor, verb="application.begin", subject=draft, tier=str(tier))
    letters.draft_saved(draft)
    return draft


@transaction.atomic
def choose_tier(
    *, actor: User | None, application: Application, tier: Tier, currency: str
) -> Application:
    """Another tier or currency for a draft."""
    draft = _draft(application)
    if tier.price(currency) is None:
        raise NotPossibleError(_("This tier has no price in that currency."))
    draft.tier, draft.currency = tier, currency
    draft.save()
    return draft


@transaction.atomic
def set_logo(*, application: Application, logo: Logo) -> Application:
    """Another logo for a draft; the replaced one goes when nothing else shows it."""
    draft = _draft(application)
    replaced, draft.logo = draft.logo, logo
    draft.save()
    if replaced is not None and replaced != logo:
        forget_logo(logo=replaced)
    return draft


@transaction.atomic
def accept_agreement(
    *,
    actor: User | None,
    application: Application,
    agreement: Agreement,
    accepted_by: str,
    at: datetime,
) -> Application:
    """Who accepted which text, when; the digest is taken from the text as it is stored."""
    draft = _draft(application)
    draft.agreement = agreement
    draft.agreement_sha256 = digest(agreement.text)
    draft.accepted_by = accepted_by
    draft.accepted_at = at
    draft.save()
    audit.record(
        actor=actor,
        verb="application.accept_agreement",
        subject=draft,
        version=agreement.version,
        sha256=draft.agreement_sha256,
        by=accepted_by,
    )
    return draft


@transaction.atomic
def choose_payment(
    *,
    actor: User | None,
    application: Application,
    pays_by: str,
    coupon_code: str,
    at: datetime,
    is_recurring: bool = False,
) -> Application:
    """How it will be paid, and with which coupon. Raises CouponError, and keeps what was there."""
    chosen = _locked(application)
    if chosen.state not in {ApplicationState.DRAFT, ApplicationState.RELEASED}:
        raise NotPossibleError(_("This application was sent already; it cannot be changed here."))
    chosen.pays_by = pays_by
    chosen.is_recurring = is_recurring and pays_by == PaysBy.CARD
    if chosen.order is None:
        chosen.coupon_code = coupon_code.strip().upper()
        quote.discount(chosen, at)
    chosen.save()
    return chosen


@transaction.atomic
def submit_application(
    *, actor: User | None, application: Application, at: datetime
) -> Application:
    """Send it: takes a place in the tier, or raises TierFullError.

    The tier is locked, so that parallel applications are counted one after another. Who renews
    takes no second place, and was looked at already.
    """
    tier = locked_tier(application.tier_id)
    draft = _locked(application)
    if draft.tier_id != tier.pk:  # another was chosen meanwhile: its row is not the locked one
        raise IncompleteError("tier")
    if draft.state in {*HOLDS_PLACE}:
        return draft
    if draft.state not in {ApplicationState.DRAFT, ApplicationState.RELEASED}:
        raise NotPossibleError(_("This application cannot be sent any more."))
    _check_complete(draft, tier)
    draft.agreed_minor = draft.list_price.minor
    draft.submitted_at = at
    check_conflicts(draft, tier, at)
    if places_left(tier, at, line=draft.line) == 0:
        raise TierFullError(str(tier))
    if needs_review(draft):
        draft.state = ApplicationState.REVIEW
        draft.save()
        letters.to_review(draft, at=at)
    else:
        make_payable(actor, draft, at, HOLD)
    letters.received(draft)
    audit.record(actor=actor, verb="application.submit", subject=draft, tier=str(tier))
    return draft


@transaction.atomic
def approve_application(
    *, actor: User, application: Application, reason: str, at: datetime
) -> Application:
    """Staff say yes: now it can be paid."""
    reviewed = _in_review(application, actor)
    reviewed.reason = reason
    make_payable(actor, reviewed, at, HOLD_AFTER_REVIEW)
    letters.approved(reviewed)
    audit.record(actor=actor, verb="application.approve", subject=reviewed, reason=reason)
    return reviewed


@transaction.atomic
def reject_application(*, actor: User, application: Application, reason: str) -> Application:
    """Staff say no, and why: the letter carries their words."""
    if not reason.strip():
        raise ValueError("say why it is rejected")
    reviewed = _in_review(application, actor)
    reviewed.state, reviewed.reason = ApplicationState.REJECTED, reason.strip()
    reviewed.save()
    letters.rejected(reviewed)
    audit.record(actor=actor, verb="application.reject", subject=reviewed, reason=reason)
    return reviewed


@transaction.atomic
def release_place(*, application: Application, at: datetime) -> None:
    """Give the place back. Call it once the provider says that nobody can pay any more.

    A page that was opened since keeps it, until that one is closed too.
    """
    own = Order.objects.select_for_update(of=("self",), no_key=True)
    own.filter(application=application).first()
    overdue = _locked(application)  # events lock in this sequence too
    if overdue.state != ApplicationState.PAYMENT or overdue.order is None:
        return
    overdue.order.refresh_from_db()
    if overdue.held_until is None or overdue.held_until > at or overdue.order.was_paid:
        return
    pages = overdue.order.checkouts.filter(provider=settings.PAYMENT_PROVIDER)
    if pages.filter(state__in=UNSETTLED).exists():
        return
    overdue.state = ApplicationState.RELEASED
    overdue.save()
    close_order(actor=None, order=overdue.order, at=at)
    letters.released(overdue)
    audit.record(actor=None, verb="application.release", subject=overdue)


def needs_review(draft: Application) -> bool:
    """Whether staff look at it first; not where the same tier goes on, of whatever year."""
    before = draft.renews
    goes_on = before is not None and before.tier.slug == draft.tier.slug
    return draft.tier.needs_review and not goes_on


def _check_complete(draft: Application, tier: Tier) -> None:
    if not tier.is_offered or tier.price(draft.currency) is None:
        raise IncompleteError("tier")
    if draft.agreement is None or draft.agreement_sha256 != draft.agreement.sha256:
        raise IncompleteError("agreement")


def _locked(application: Application) -> Application:
    rows = Application.objects.select_for_update(of=("self",))
    known = rows.select_related("tier__kind", "order__subscription", "agreement", "organisation")
    return known.select_related("renews__tier", "replaces").get(pk=application.pk)


def _draft(application: Application) -> Application:
    draft = _locked(application)
    if draft.state != ApplicationState.DRAFT:
        raise NotPossibleError(_("This application was sent already; it cannot be changed here."))
    return draft


def _in_review(application: Application, reviewer: User) -> Application:
    found = _locked(application)
    if found.state != ApplicationState.REVIEW:
        raise NotPossibleError(_("This application is not in review."))
    if found.is_by(reviewer):
        raise NotPossibleError(_("It is your own company's: somebody else of the staff answers."))
    return found
