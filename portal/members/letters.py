"""The letters of members. Each has a key of its own, so that none is sent twice."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.urls import reverse

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.lib import links, outbox
from portal.members.correspondence import about
from portal.members.details import label, words
from portal.members.models import (
    Contact,
    Contributor,
    LogoChange,
    Mailing,
    Nomination,
    Organisation,
    Standing,
    Subscriber,
    Transfer,
)

UNSUBSCRIBE: Final = "members.unsubscribe"
FOR_EVER: Final = timedelta(days=36_500)  # who finds an old letter may still take themselves off


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


def own_page() -> str:
    return f"{settings.BASE_URL}/contributors/own/"


def nomination_received(nomination: Nomination) -> None:
    send(
        "nomination_received",
        to=nomination.nominated_by.email,
        key=f"nomination.received:{nomination.pk}",
        nomination=nomination,
        page=f"{settings.BASE_URL}{nomination.get_absolute_url()}",
    )


def nomination_waiting(nomination: Nomination, *, at: datetime) -> None:
    """To those who review, but not to who nominated or is nominated: it is not theirs to decide."""
    own = {nomination.email.lower(), nomination.nominated_by.email.lower()}
    reviewers = RoleGrant.objects.active_on(at).filter(
        role=Role.STAFF, scope_kind=Scope.FOUNDATION, user__is_active=True
    )
    people = {grant.user for grant in reviewers.select_related("user")}
    for person in sorted(people, key=lambda user: user.pk):
        if person.email.lower() not in own:
            send(
                "nomination_waiting",
                to=person.email,
                key=f"nomination.waiting:{nomination.pk}:{person.pk}",
                nomination=nomination,
                person=person,
                page=f"{settings.BASE_URL}/staff/nominations/{nomination.pk}/",
            )


def nomination_rejected(nomination: Nomination) -> None:
    send(
        "nomination_rejected",
        to=nomination.nominated_by.email,
        key=f"nomination.rejected:{nomination.pk}",
        nomination=nomination,
        page=f"{settings.BASE_URL}/contributors/nominate/",
    )


def nomination_approved(nomination: Nomination, standing: Standing) -> None:
    """To the person, and to who nominated them where that is somebody else."""
    contributor = standing.contributor
    send(
        "contributor_welcome",
        to=contributor.email,
        key=f"contributor.welcome:{nomination.pk}",
        contributor=contributor,
        standing=standing,
        page=own_page(),
    )
    if nomination.nominated_by.email.lower() != contributor.email.lower():
        send(
            "nomination_approved",
            to=nomination.nominated_by.email,
            key=f"nomination.approved:{nomination.pk}",
            nomination=nomination,
            standing=standing,
        )


def standing_renewed(standing: Standing) -> None:
    send(
        "standing_renewed",
        to=address(standing.contributor),
        key=f"standing.renewed:{standing.pk}",
        standing=standing,
        page=own_page(),
    )


def standing_ends(standing: Standing) -> None:
    send(
        "standing_ends",
        to=address(standing.contributor),
        key=f"standing.ends:{standing.pk}",
        standing=standing,
        page=own_page(),
    )


def standing_ended(contributor: Contributor, *, reason: str, at: datetime) -> None:
    send(
        "standing_ended",
        to=address(contributor),
        key=f"standing.ended:{contributor.pk}:{at.isoformat()}",
        contributor=contributor,
        reason=reason,
    )


def address(contributor: Contributor) -> str:
    """That of the account once there is one: people move."""
    return contributor.user.email if contributor.user else contributor.email


# --- the advisory list ---


def unsubscribe_url(subscriber: Subscriber) -> str:
    """A signed address that takes this seat off the list without a login."""
    token = links.sign(str(subscriber.pk), purpose=UNSUBSCRIBE)
    return f"{settings.BASE_URL}/advisory-list/unsubscribe/{token}/"


def advisory_named(subscriber: Subscriber) -> None:
    send(
        "advisory_named",
        to=subscriber.email,
        key=f"subscriber.named:{subscriber.pk}",
        organisation=subscriber.organisation,
        headers=_list_headers(subscriber),
        subscriber=subscriber,
        archive=f"{settings.BASE_URL}/advisory-list/",
        unsubscribe=unsubscribe_url(subscriber),
    )


def mailing(letter: Mailing, subscriber: Subscriber) -> str:
    """One copy to one seat; the key under which the outbox knows it."""
    key = f"mailing:{letter.pk}:{subscriber.pk}"
    send(
        "mailing",
        to=subscriber.email,
        key=key,
        organisation=subscriber.organisation,
        headers=_list_headers(subscriber),
        mailing=letter,
        subscriber=subscriber,
        archive=f"{settings.BASE_URL}{letter.get_absolute_url()}",
        unsubscribe=unsubscribe_url(subscriber),
    )
    return key


def mailing_test(letter: Mailing, *, person: User, key: str) -> None:
    """As it will look, to somebody who has no seat: nothing to unsubscribe from."""
    archive = f"{settings.BASE_URL}{letter.get_absolute_url()}"
    send("mailing", to=person.email, key=key, mailing=letter, is_test=True, archive=archive)


def _list_headers(subscriber: Subscriber) -> dict[str, str]:
    """One click in the mail program takes the seat off the list (RFC 8058, RFC 2369, RFC 2919)."""
    host = urlsplit(settings.BASE_URL).hostname or "localhost"
    return {
        "List-Id": f"<advisory-list.{host}>",
        "List-Unsubscribe": f"<{unsubscribe_url(subscriber)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


# --- contacts and owners ---


def contact_invited(contact: Contact, *, day: str = "") -> None:
    """With a day: the reminder of that day. Who has no account is led to open one."""
    address = contact.email.lower()
    page = reverse("members:organisations")
    if not User.objects.filter(email__iexact=address).exists():
        query = urlencode({"email": contact.email, "next": page})
        page = f"{reverse('account_signup')}?{query}"
    send(
        "contact_invited",
        to=contact.email,
        key=f"contact.invited:{contact.pk}:{contact.role}:{address}:{day}",
        organisation=contact.organisation,
        contact=contact,
        page=f"{settings.BASE_URL}{page}",
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
            changes=[(label(name), words(organisation, name)) for name in fields],
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
        page=f"{settings.BASE_URL}/organisation/",
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
