"""Contacts of an organisation and the roles that come with them."""

from django.db import transaction

from portal.accounts.actions.role import grant_role, revoke_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib import audit
from portal.members import letters
from portal.members.models import Contact, Organisation


class ContactExistsError(Exception):
    """The organisation names that address in that role already."""


class LastOwnerError(Exception):
    """Somebody must keep the keys: the last owner with an account cannot go."""


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
def invite_contact(
    *, actor: User, organisation: Organisation, role: Role, name: str, email: str
) -> Contact:
    """Name a contact and write to them. Raises ContactExistsError."""
    locked = Organisation.objects.select_for_update().get(pk=organisation.pk)
    if locked.contacts.filter(role=role, email__iexact=email).exists():
        raise ContactExistsError
    contact = add_contact(actor=actor, organisation=locked, role=role, name=name, email=email)
    letters.contact_invited(contact)
    return contact


@transaction.atomic
def change_contact(*, actor: User, contact: Contact, role: Role, name: str, email: str) -> None:
    """Another name, address or role. Another address is another person, who is invited; the role
    of the one before ends. Raises ContactExistsError, LastOwnerError.
    """
    locked = _locked(contact)
    same = locked.organisation.contacts.filter(role=role, email__iexact=email)
    if same.exclude(pk=locked.pk).exists():
        raise ContactExistsError
    before, user = Role(locked.role), locked.user
    is_other = locked.email.lower() != email.lower()
    if is_other or before != role:
        _keep_an_owner(locked)
    locked.name, locked.email, locked.role = name, email, role
    locked.user = None if is_other else user
    locked.save(update_fields=["name", "email", "role", "user"])
    if user is not None and (is_other or before != role):
        end_role(actor=actor, organisation=locked.organisation, user=user, role=before)
    if locked.user is not None:
        give_role(actor=actor, contact=locked)
    if is_other:
        letters.contact_invited(locked)
    audit.record(
        actor=actor, verb="contact.change", subject=locked, role=role.value, before=before.value
    )


@transaction.atomic
def remove_contact(*, actor: User, contact: Contact) -> None:
    """The role ends at once, and the person is told. Raises LastOwnerError."""
    locked = _locked(contact)
    _keep_an_owner(locked)
    audit.record(actor=actor, verb="contact.remove", subject=locked, role=locked.role)
    letters.contact_removed(locked)
    organisation, user, role = locked.organisation, locked.user, Role(locked.role)
    locked.delete()
    if user is not None:
        end_role(actor=actor, organisation=organisation, user=user, role=role)


@transaction.atomic
def remind_contact(*, actor: User, contact: Contact, day: str) -> None:
    """Send the invitation again; once a day."""
    letters.contact_invited(contact, day=day)
    audit.record(actor=actor, verb="contact.remind", subject=contact)


@transaction.atomic
def take_contact(*, user: User, contact: Contact) -> None:
    """`user` says "this is me": the account gets the role. The address must be theirs.

    Raises PermissionError when no verified address of theirs is named.
    """
    locked = _offered(user, contact)
    locked.user = user
    locked.save(update_fields=["user"])
    give_role(actor=user, contact=locked)
    audit.record(actor=user, verb="contact.take", subject=locked)


@transaction.atomic
def decline_contact(*, user: User, contact: Contact) -> None:
    """`user` is not, or does not want to be, this contact. Raises PermissionError."""
    locked = _offered(user, contact)
    audit.record(actor=user, verb="contact.decline", subject=locked, role=locked.role)
    locked.delete()


def give_role(*, actor: User | None, contact: Contact) -> None:
    """The role of a contact to its account."""
    if contact.user is not None:
        grant_role(
            actor=actor,
            user=contact.user,
            role=Role(contact.role),
            scope_kind=Scope.ORGANISATION,
            scope_slug=contact.organisation.slug,
            reason="contact",
        )


def end_role(*, actor: User | None, organisation: Organisation, user: User, role: Role) -> None:
    """Unless another contact of theirs gives the same role."""
    if not organisation.contacts.filter(user=user, role=role).exists():
        revoke_role(
            actor=actor,
            user=user,
            role=role,
            scope_kind=Scope.ORGANISATION,
            scope_slug=organisation.slug,
        )


def _locked(contact: Contact) -> Contact:
    """The contact as it is now; its organisation is locked, so that owners are counted truly."""
    Organisation.objects.select_for_update().get(pk=contact.organisation_id)
    rows = Contact.objects.select_for_update(of=("self",)).select_related("organisation", "user")
    return rows.get(pk=contact.pk)


def _offered(user: User, contact: Contact) -> Contact:
    locked = _locked(contact)
    if not Contact.objects.offered_to(user).filter(pk=contact.pk).exists():
        raise PermissionError("this contact names another address")
    return locked


def _keep_an_owner(contact: Contact) -> None:
    if contact.role != Role.OWNER or contact.user is None:
        return
    others = contact.organisation.contacts.filter(role=Role.OWNER, user__isnull=False)
    if not others.exclude(user=contact.user).exists():
        raise LastOwnerError
