"""A first sign-up was paid: the organisation with its contacts."""

from portal.accounts.roles import Role
from portal.members.actions.contact import add_contact, take_contact
from portal.members.actions.organisation import Profile, register_organisation
from portal.members.letters import contact_invited
from portal.members.models import Contact, Organisation
from portal.sponsors.models import Application


def register(application: Application) -> Organisation:
    """Call it in the transaction that settles its order."""
    organisation = register_organisation(
        actor=application.applicant,
        profile=Profile(
            name=application.name,
            legal_name=application.legal_name,
            address=application.address,
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
            _invite(contact)
    return organisation


def _invite(contact: Contact) -> None:
    """Whom the owner named gets a letter; the owner learns of their role with the receipt."""
    if contact.role != Role.OWNER and not Contact.objects.filter(pk=contact.pk, user__isnull=False):
        contact_invited(contact)


def _take_own(application: Application, contact: Contact) -> None:
    """Who applied while signed in need not be asked whether they are the contact they named."""
    user = application.applicant
    if user is not None and Contact.objects.offered_to(user).filter(pk=contact.pk).exists():
        take_contact(user=user, contact=contact)
