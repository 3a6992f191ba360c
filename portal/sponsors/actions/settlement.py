"""What a payment or a refund means for a supporter. Runs as often as you like."""

from django.db import transaction

from portal.accounts.roles import Role
from portal.lib import audit
from portal.members.actions.contact import add_contact, take_contact
from portal.members.actions.organisation import Profile, register_organisation
from portal.members.actions.term import begin_term, end_term, resume_term
from portal.members.models import Contact, Organisation, Term
from portal.payments.actions.payment import entries_of
from portal.payments.arithmetic import EntryKind, OrderState, standing
from portal.payments.models import CheckoutState, Order
from portal.sponsors import letters
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState

HAVE = {OrderState.PAID, OrderState.PARTLY_REFUNDED}


@transaction.atomic
def settle_order(*, order: Order) -> None:
    """Make application and term say what the order's ledger says."""
    application = (
        Application.objects.select_for_update(of=("self",))
        .select_related("tier__kind", "order", "logo", "applicant", "organisation")
        .filter(order=order)
        .first()
    )
    if application is None or application.order is None:
        return
    if application.order.was_paid:
        _admit(application, application.order)
        _follow_refunds(application, application.order)
    for checkout in application.order.checkouts.filter(state=CheckoutState.FAILED):
        letters.payment_failed(application, checkout)


def _admit(application: Application, order: Order) -> None:
    """The money came: organisation, contacts, term and receipt, once."""
    if Term.objects.filter(order=order).exists() or order.paid_at is None:
        return
    organisation = application.organisation or _register(application)
    begin_term(
        organisation=organisation, tier=application.tier, order=order, starts_at=order.paid_at
    )
    application.organisation = organisation
    application.state = ApplicationState.ACTIVE
    application.save()
    letters.paid(application)
    audit.record(actor=application.applicant, verb="application.paid", subject=application)


def _register(application: Application) -> Organisation:
    organisation = register_organisation(
        actor=application.applicant,
        profile=Profile(
            name=application.name,
            legal_name=application.legal_name,
            country=application.country,
            vat_number=application.vat_number,
            website=application.website,
            is_listed=application.is_listed,
            logo=application.logo,
        ),
    )
    named = {
        Role.OWNER: (application.owner_name, application.owner_email),
        Role.BILLING: (application.billing_name, application.billing_email),
        Role.TECHNICAL: (application.technical_name, application.technical_email),
        Role.MARKETING: (application.marketing_name, application.marketing_email),
    }
    for role, (name, email) in named.items():
        if email:
            contact = add_contact(
                actor=application.applicant,
                organisation=organisation,
                role=role,
                name=name or email,
                email=email,
            )
            _take_own(application, contact)
    return organisation


def _take_own(application: Application, contact: Contact) -> None:
    """Who applied while signed in need not be asked whether they are the contact they named."""
    user = application.applicant
    if user is not None and Contact.objects.offered_to(user).filter(pk=contact.pk).exists():
        take_contact(user=user, contact=contact)


def _follow_refunds(application: Application, order: Order) -> None:
    term = Term.objects.get(order=order)
    for entry in order.entries.filter(kind=EntryKind.REFUND.value):
        letters.refunded(application, entry)
    now = standing(order.amount, entries_of(order))
    if now.state == OrderState.REFUNDED and now.refunded_at is not None:
        end_term(term=term, at=now.refunded_at, reason="refunded")
        _move(application, ApplicationState.REFUNDED)
    elif now.state in HAVE and term.end_reason == "refunded":
        resume_term(term=term)
        _move(application, ApplicationState.ACTIVE)


def _move(application: Application, state: ApplicationState) -> None:
    if application.state != state:
        application.state = state
        application.save()
