"""Which letters belong to an organisation, and who of it reads which."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models.functions import Lower

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib import links
from portal.lib.models import OutboxMail, OutboxMailQuerySet
from portal.members.belongings import all_parts
from portal.members.models import Organisation


def about(organisation: Organisation) -> str:
    """What a letter that belongs to its history is called in the outbox."""
    return f"organisation:{organisation.slug}"


def letters_of(organisation: Organisation) -> OutboxMailQuerySet:
    """Everything that was ever written to it, also before it was one: its application's."""
    names = [about(organisation)]
    for part in all_parts():
        names += part.letters(organisation)
    return OutboxMail.objects.about(names)


def letters_shown_to(user: User, organisation: Organisation, at: datetime) -> OutboxMailQuerySet:
    """The owner's are all of them; other contacts see what went to the contacts of their roles."""
    roles = Organisation.objects.roles_of(user, organisation, at)
    letters = letters_of(organisation)
    if Role.OWNER in roles:
        return letters
    addresses = _own_addresses(user) | _addresses_of(organisation, roles)
    return letters.alias(lower=Lower("recipient")).filter(lower__in=addresses)


def text_for(user: User, letter: OutboxMail) -> str:
    """What it says. Signed links open without a login: they are for its recipient alone."""
    if letter.recipient.lower() in _own_addresses(user):
        return letter.text
    return links.without_tokens(letter.text, instead="[…]")


def _own_addresses(user: User) -> set[str]:
    verified = EmailAddress.objects.filter(user=user, verified=True)
    return {email.lower() for email in verified.values_list("email", flat=True)}


def _addresses_of(organisation: Organisation, roles: set[str]) -> set[str]:
    contacts = organisation.contacts.filter(role__in=roles)
    return {email.lower() for email in contacts.values_list("email", flat=True)}
