"""An organisation goes over to another owner: offered, then accepted, declined or taken back."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope, has_role
from portal.lib import audit
from portal.members import letters
from portal.members.actions.contact import add_contact, end_role, give_role
from portal.members.models import Contact, Organisation, Transfer
from portal.members.models.transfer import TransferState

OPEN_FOR = timedelta(days=14)


class NotOwnerError(Exception):
    """Only an owner offers, and must be one still when it is accepted."""


class OfferOpenError(Exception):
    """One offer at a time: take the other back first."""


class OwnAddressError(Exception):
    """One does not transfer to oneself."""


class NotOpenError(Exception):
    """It has been answered, taken back, or has expired; or it names somebody else."""


@transaction.atomic
def offer_transfer(
    *, actor: User, organisation: Organisation, name: str, email: str, stays_as: str, at: datetime
) -> Transfer:
    """Raises NotOwnerError, OwnAddressError, OfferOpenError."""
    locked = Organisation.objects.select_for_update().get(pk=organisation.pk)
    if not _owns(actor, locked):
        raise NotOwnerError
    if EmailAddress.objects.filter(user=actor, email__iexact=email).exists():
        raise OwnAddressError
    for late in Transfer.objects.overdue(at).filter(organisation=locked):
        _expire(late)
    if locked.transfers.open_on(at).exists():
        raise OfferOpenError
    transfer = Transfer.objects.create(
        organisation=locked,
        offered_by=actor,
        name=name,
        email=email,
        stays_as=stays_as,
        offered_at=at,
        expires_at=at + OPEN_FOR,
    )
    audit.record(actor=actor, verb="transfer.offer", subject=transfer, until=transfer.expires_at)
    letters.transfer_offered(transfer)
    return transfer


@transaction.atomic
def accept_transfer(*, user: User, transfer: Transfer, at: datetime) -> Organisation:
    """`user` owns the organisation from now on; who offered it does not any more.

    Raises NotOpenError, and NotOwnerError when the other owns it no longer.
    """
    locked = _open(transfer, at)
    if not Transfer.objects.offered_to(user, at).filter(pk=locked.pk).exists():
        raise NotOpenError
    organisation, former = locked.organisation, locked.offered_by
    if not _owns(former, organisation):
        raise NotOwnerError
    contact = add_contact(
        actor=user,
        organisation=organisation,
        role=Role.OWNER,
        name=locked.name,
        email=locked.email,
    )
    contact.user = user
    contact.save(update_fields=["user"])
    give_role(actor=former, contact=contact)
    _step_back(former, organisation, locked.stays_as)
    _decide(locked, TransferState.ACCEPTED, actor=user, at=at)
    letters.transfer_accepted(locked, owner=user)
    return organisation


@transaction.atomic
def decline_transfer(*, user: User, transfer: Transfer, at: datetime) -> None:
    """Raises NotOpenError."""
    locked = _open(transfer, at)
    if not Transfer.objects.offered_to(user, at).filter(pk=locked.pk).exists():
        raise NotOpenError
    _decide(locked, TransferState.DECLINED, actor=user, at=at)
    letters.transfer_declined(locked)


@transaction.atomic
def withdraw_transfer(*, actor: User, transfer: Transfer, at: datetime) -> None:
    """By any owner. Raises NotOwnerError, NotOpenError."""
    locked = _open(transfer, at)
    if not _owns(actor, locked.organisation):
        raise NotOwnerError
    _decide(locked, TransferState.WITHDRAWN, actor=actor, at=at)
    letters.transfer_withdrawn(locked)


def expire_transfers(*, at: datetime) -> int:
    """Offers that nobody answered in time are over, and who made them hears of it; how many."""
    overdue = list(Transfer.objects.overdue(at))
    return sum(_expire(transfer) for transfer in overdue)


@transaction.atomic
def _expire(transfer: Transfer) -> bool:
    """Once, whoever comes first; whether it was this time."""
    Organisation.objects.select_for_update().get(pk=transfer.organisation_id)
    offered = Transfer.objects.filter(pk=transfer.pk, state=TransferState.OFFERED)
    if not offered.update(state=TransferState.EXPIRED, decided_at=transfer.expires_at):
        return False
    audit.record(actor=None, verb="transfer.expired", subject=transfer)
    letters.transfer_expired(transfer)
    return True


def _owns(user: User, organisation: Organisation) -> bool:
    return has_role(user, Role.OWNER, scope_kind=Scope.ORGANISATION, scope_slug=organisation.slug)


def _open(transfer: Transfer, at: datetime) -> Transfer:
    """The offer, and its organisation, ours until the end of the transaction."""
    Organisation.objects.select_for_update().get(pk=transfer.organisation_id)
    rows = Transfer.objects.open_on(at).select_for_update(of=("self",))
    found = rows.select_related("organisation", "offered_by").filter(pk=transfer.pk).first()
    if found is None:
        raise NotOpenError
    return found


def _step_back(former: User, organisation: Organisation, stays_as: str) -> None:
    """The former owner's contacts as owner become the role they asked to keep, or go."""
    for contact in organisation.contacts.filter(role=Role.OWNER, user=former):
        kept = organisation.contacts.filter(role=stays_as, email__iexact=contact.email)
        if stays_as and not kept.exists():
            contact.role = stays_as
            contact.save(update_fields=["role"])
            give_role(actor=former, contact=contact)
        else:
            contact.delete()
    end_role(actor=former, organisation=organisation, user=former, role=Role.OWNER)
    _keep_role(former, organisation, stays_as)


def _keep_role(former: User, organisation: Organisation, stays_as: str) -> None:
    """Who owned it by a grant of the staff, without a contact, becomes one now."""
    if not stays_as or organisation.contacts.filter(user=former, role=stays_as).exists():
        return
    contact: Contact = add_contact(
        actor=former,
        organisation=organisation,
        role=Role(stays_as),
        name=str(former)[:120],
        email=former.email,
    )
    contact.user = former
    contact.save(update_fields=["user"])
    give_role(actor=former, contact=contact)


def _decide(transfer: Transfer, state: TransferState, *, actor: User, at: datetime) -> None:
    transfer.state, transfer.decided_at = state, at
    transfer.save(update_fields=["state", "decided_at"])
    audit.record(actor=actor, verb=f"transfer.{state.value}", subject=transfer)
