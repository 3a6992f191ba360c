"""The letters to contacts and owners. Each has a key of its own, so that none is sent twice."""

from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib import outbox
from portal.members.correspondence import about
from portal.members.details import label, words
from portal.members.models import Contact, LogoChange, Organisation, Transfer


def send(
    template: str,
    *,
    to: str,
    key: str,
    organisation: Organisation | None = None,
    headers: Mapping[str, str] | None = None,
    **context: object,
) -> None:
    """One letter; that to somebody of an organisation stays in its history."""
    outbox.enqueue(
        to=to,
        template=f"members/{template}",
        context={"organisation": organisation, **context},
        key=key,
        about=about(organisation) if organisation else "",
        headers=headers,
    )


def way_in(email: str, path: str) -> str:
    """That page of ours; who has no account is led to open one, and then on to it."""
    if not User.objects.filter(email__iexact=email).exists():
        path = f"{reverse('account_signup')}?{urlencode({'email': email, 'next': path})}"
    return f"{settings.BASE_URL}{path}"


def contact_invited(contact: Contact, *, day: str = "") -> None:
    """With a day: the reminder of that day."""
    address = contact.email.lower()
    send(
        "contact_invited",
        to=contact.email,
        key=f"contact.invited:{contact.pk}:{contact.role}:{address}:{day}",
        organisation=contact.organisation,
        contact=contact,
        page=way_in(contact.email, reverse("members:organisations")),
    )


def details_changed(
    organisation: Organisation, *, fields: list[str], actor: User, at: datetime
) -> None:
    """To the other owners: who pays and under which name is worth a second look."""
    named = organisation.contacts.filter(role=Role.OWNER).exclude(user=actor)
    for owner in named:
        send(
            "details_changed",
            to=owner.email,
            key=f"organisation.details:{organisation.pk}:{at.isoformat()}:{owner.pk}",
            organisation=organisation,
            owner=owner,
            person=actor,
            changes=lambda: [(label(name), words(organisation, name)) for name in fields],
            page=f"{settings.BASE_URL}/organisation/{organisation.slug}/details/",
        )


def logo_taken_down(change: LogoChange) -> None:
    """To owners and who looks after the logo."""
    organisation = change.organisation
    roles = [Role.OWNER, Role.MARKETING]
    for contact in organisation.contacts.filter(role__in=roles):
        send(
            "logo_taken_down",
            to=contact.email,
            key=f"organisation.logo_down:{change.pk}:{contact.pk}",
            organisation=organisation,
            contact=contact,
            change=change,
            page=f"{settings.BASE_URL}/organisation/{organisation.slug}/logo/",
        )


def contact_removed(contact: Contact) -> None:
    send(
        "contact_removed",
        to=contact.email,
        key=f"contact.removed:{contact.pk}",
        organisation=contact.organisation,
        contact=contact,
    )


def transfer_offered(transfer: Transfer) -> None:
    send(
        "transfer_offered",
        to=transfer.email,
        key=f"transfer.offered:{transfer.pk}",
        organisation=transfer.organisation,
        transfer=transfer,
        page=way_in(transfer.email, reverse("members:organisations")),
    )


def transfer_accepted(transfer: Transfer, *, owner: User) -> None:
    send(
        "transfer_accepted",
        to=transfer.offered_by.email,
        key=f"transfer.accepted:{transfer.pk}",
        organisation=transfer.organisation,
        transfer=transfer,
        owner=owner,
    )


def transfer_declined(transfer: Transfer) -> None:
    send(
        "transfer_declined",
        to=transfer.offered_by.email,
        key=f"transfer.declined:{transfer.pk}",
        organisation=transfer.organisation,
        transfer=transfer,
    )


def transfer_expired(transfer: Transfer) -> None:
    send(
        "transfer_expired",
        to=transfer.offered_by.email,
        key=f"transfer.expired:{transfer.pk}",
        organisation=transfer.organisation,
        transfer=transfer,
        page=f"{settings.BASE_URL}/organisation/{transfer.organisation.slug}/transfer/",
    )


def transfer_withdrawn(transfer: Transfer) -> None:
    send(
        "transfer_withdrawn",
        to=transfer.email,
        key=f"transfer.withdrawn:{transfer.pk}",
        organisation=transfer.organisation,
        transfer=transfer,
    )
