"""As whom an organisation is billed now. An order keeps it: what was issued does not change."""

from __future__ import annotations

from dataclasses import dataclass

from portal.accounts.roles import Role
from portal.lib import languages
from portal.members.models import Organisation

PAYERS = [Role.BILLING, Role.OWNER]


@dataclass(frozen=True, slots=True)
class Billed:
    name: str
    email: str
    lines: str  # what a paper prints below the name
    country: str
    vat_number: str


@languages.for_the_record
def billed_as(organisation: Organisation) -> Billed:
    """Its own words; invoices go to their mailbox, else to the billing contact or an owner."""
    lines = [
        *organisation.address.splitlines(),
        organisation.get_country_display(),
        organisation.vat_number,
    ]
    return Billed(
        name=organisation.legal_name,
        email=organisation.invoice_email or _payer(organisation),
        lines="\n".join(line for line in lines if line),
        country=organisation.country,
        vat_number=organisation.vat_number,
    )


def _payer(organisation: Organisation) -> str:
    contacts = organisation.contacts.order_by("pk")
    found = (contacts.filter(role=role).first() for role in PAYERS)
    return next((contact.email for contact in found if contact is not None), "")
