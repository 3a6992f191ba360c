"""The verbs of a sign-up, in the sequence in which they happen."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from portal.members.actions.logo import forget_logo
from portal.members.models import Logo, Tier
from portal.payments.actions.order import place_order
from portal.sponsors import letters
from portal.sponsors.actions.agreement import digest
from portal.sponsors.models import Agreement, Application
from portal.sponsors.models.application import HOLDS_PLACE, ApplicationState

HOLD = timedelta(hours=23)  # the hosted page of the provider lives at most 24 hours
HOLD_AFTER_REVIEW = timedelta(days=14)
DRAFT_FIELDS = (
    *("legal_name", "name", "country", "vat_number", "website", "is_listed"),
    *("owner_name", "owner_email", "billing_name", "billing_email"),
    *("technical_name", "technical_email", "marketing_name", "marketing_email"),
)


class TierFullError(Exception):
    """No place is left in this tier."""


class NotPossibleError(Exception):
    """The application is in another state by now."""


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
def submit_application(
    *, actor: User | None, application: Application, at: datetime
) -> Application:
    """Send it: takes a place in the tier, or raises TierFullError.

    The row of the tier is locked, so that parallel applications are counted one after another.
    """
    tier = Tier.objects.select_for_update().get(pk=application.tier_id)
    draft = _locked(application)
    if draft.tier_id != tier.pk:  # another was chosen meanwhile: its row is not the locked one
        raise IncompleteError("tier")
    if draft.state in {*HOLDS_PLACE}:
        return draft
    if draft.state not in {ApplicationState.DRAFT, ApplicationState.RELEASED}:
        raise NotPossibleError(_("This application cannot be sent any more."))
    _check_complete(draft, tier)
    if places_left(tier) == 0:
        raise TierFullError(str(tier))
    draft.submitted_at = at
    if tier.needs_review:
        draft.state = ApplicationState.REVIEW
        draft.save()
    else:
        _make_payable(actor, draft, at + HOLD)
    letters.received(draft)
    audit.record(actor=actor, verb="application.submit", subject=draft, tier=str(tier))
    return draft


@transaction.atomic
def approve_application(
    *, actor: User, application: Application, reason: str, at: datetime
) -> Application:
    """Staff say yes: now it can be paid."""
    reviewed = _in_review(application)
    reviewed.reason = reason
    _make_payable(actor, reviewed, at + HOLD_AFTER_REVIEW)
    letters.approved(reviewed)
    audit.record(actor=actor, verb="application.approve", subject=reviewed, reason=reason)
    return reviewed


@transaction.atomic
def reject_application(*, actor: User, application: Application, reason: str) -> Application:
    """Staff say no, and why: the letter carries their words."""
    if not reason.strip():
        raise ValueError("say why it is rejected")
    reviewed = _in_review(application)
    reviewed.state, reviewed.reason = ApplicationState.REJECTED, reason.strip()
    reviewed.save()
    letters.rejected(reviewed)
    audit.record(actor=actor, verb="application.reject", subject=reviewed, reason=reason)
    return reviewed


@transaction.atomic
def release_place(*, application: Application, at: datetime) -> None:
    """Give the place back. Call it once the provider says that nobody can pay any more."""
    overdue = _locked(application)
    if overdue.state != ApplicationState.PAYMENT or overdue.order is None:
        return
    overdue.order.refresh_from_db()
    if overdue.held_until is None or overdue.held_until > at or overdue.order.was_paid:
        return
    overdue.state = ApplicationState.RELEASED
    overdue.save()
    letters.released(overdue)
    audit.record(actor=None, verb="application.release", subject=overdue)


def places_left(tier: Tier) -> int | None:
    """How many places are free now; None where they are not counted."""
    if tier.capacity is None:
        return None
    taken = Application.objects.holding_place().filter(tier=tier).count()
    return max(0, tier.capacity - taken)


def _make_payable(actor: User | None, application: Application, held_until: datetime) -> None:
    tier = application.tier
    if application.order is None:
        application.order = place_order(
            actor=actor,
            description=f"{tier.name} {tier.kind.name} {tier.year}",
            amount=application.price,
            billing_name=application.legal_name,
            billing_email=application.billing_email or application.owner_email,
            billing_lines="\n".join(
                line for line in (application.get_country_display(), application.vat_number) if line
            ),
        )
    application.state = ApplicationState.PAYMENT
    application.held_until = held_until
    application.save()


def _check_complete(draft: Application, tier: Tier) -> None:
    if not tier.is_offered or tier.price(draft.currency) is None:
        raise IncompleteError("tier")
    if draft.agreement is None or draft.agreement_sha256 != draft.agreement.sha256:
        raise IncompleteError("agreement")


def _locked(application: Application) -> Application:
    rows = Application.objects.select_for_update(of=("self",))
    return rows.select_related("tier__kind", "order", "agreement", "organisation").get(
        pk=application.pk
    )


def _draft(application: Application) -> Application:
    draft = _locked(application)
    if draft.state != ApplicationState.DRAFT:
        raise NotPossibleError(_("This application was sent already; it cannot be changed here."))
    return draft


def _in_review(application: Application) -> Application:
    found = _locked(application)
    if found.state != ApplicationState.REVIEW:
        raise NotPossibleError(_("This application is not in review."))
    return found
