"""Whom of an organisation a letter about money goes to, and what a renewal begins with."""

from __future__ import annotations

from collections.abc import Mapping

from portal.accounts.roles import Role
from portal.members.models import Contact, Organisation

ROLES = (Role.OWNER, Role.BILLING, Role.TECHNICAL, Role.MARKETING)


def payers(organisation: Organisation) -> list[Contact]:
    """Billing contacts and owners, each address once."""
    found: dict[str, Contact] = {}
    for role in (Role.BILLING, Role.OWNER):
        for contact in organisation.contacts.filter(role=role).order_by("pk"):
            found.setdefault(contact.email.lower(), contact)
    return list(found.values())


def known_values(organisation: Organisation) -> Mapping[str, object]:
    """What a sign-up asks for, as it is known by now: nobody types it again."""
    return {
        "legal_name": organisation.legal_name,
        "name": organisation.name,
        "address": organisation.address,
        "country": organisation.country,
        "vat_number": organisation.vat_number,
        "website": organisation.website,
        "is_listed": organisation.is_listed,
        **_contacts(organisation),
    }


def _contacts(organisation: Organisation) -> dict[str, object]:
    """The first contact of each role."""
    values: dict[str, object] = {}
    rows = list(organisation.contacts.order_by("pk"))
    for role in ROLES:
        found = next((row for row in rows if row.role == role), None)
        values[f"{role.value}_name"] = found.name if found else ""
        values[f"{role.value}_email"] = found.email if found else ""
    return values
