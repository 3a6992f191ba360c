"""Contacts of an organisation and the roles that come with them."""

from django.db import transaction

from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib import audit
from portal.members.models import Contact, Organisation


@transaction.atomic
def add_contact(
    *, actor: User | None, organisation: Organisation, role: Role, name: str, email: str
) -> Contact:
    """Name a contact; the same person in the same role stays one."""
    contact = Contact.objects.filter(
        organisation=organisation, role=role, email__iexact=email
    ).first()
    if contact is None:
        contact = Contact.objects.create(
            organisation=organisation, role=role, name=name, email=email
        )
        audit.record(actor=actor, verb="contact.add", subject=contact, role=role.value)
    return contact


@transaction.atomic
def take_contact(*, user: User, contact: Contact) -> None:
    """`user` says "this is me": the account gets the role. The address must be theirs.

    Raises PermissionError when no verified address of theirs is named.
    """
    locked = Contact.objects.select_for_update().get(pk=contact.pk)
    if not Contact.objects.offered_to(user).filter(pk=contact.pk).exists():
        raise PermissionError("this contact names another address")
    locked.user = user
    locked.save(update_fields=["user"])
    grant_role(
        actor=user,
        user=user,
        role=Role(locked.role),
        scope_kind=Scope.ORGANISATION,
        scope_slug=locked.organisation.slug,
        reason="contact",
    )
    audit.record(actor=user, verb="contact.take", subject=locked)
