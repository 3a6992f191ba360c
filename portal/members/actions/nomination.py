"""Nominating a contributor, and answering it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.members import contributor_letters as letters
from portal.members.actions.contributor import lengthen_standing, link_account
from portal.members.models import Contributor, Nomination, Standing
from portal.members.models.nomination import NominationState

A_DAY = timedelta(days=1)
MOST_A_DAY = 10


class TooManyNominationsError(Exception):
    """Ten a day are enough for anybody."""


class NominatedAlreadyError(Exception):
    """The same person's nomination of that address waits already."""


class NotWaitingError(Exception):
    """Somebody answered it, or it was withdrawn, meanwhile."""


class OwnCaseError(Exception):
    """Who nominated, or is nominated, does not decide."""


@dataclass(frozen=True, slots=True)
class Case:
    """Who should be a contributor, and why."""

    name: str
    email: str
    did: str
    links: list[str]


@transaction.atomic
def nominate(*, actor: User, case: Case, at: datetime) -> Nomination:
    """Raises TooManyNominationsError, NominatedAlreadyError."""
    User.objects.select_for_update().get(pk=actor.pk)
    if Nomination.objects.written_since(actor, at - A_DAY).count() >= MOST_A_DAY:
        raise TooManyNominationsError
    try:
        with transaction.atomic():
            nomination = Nomination.objects.create(
                name=case.name,
                email=case.email.lower(),
                did=case.did,
                links=case.links,
                nominated_by=actor,
                created_at=at,
            )
    except IntegrityError as error:
        raise NominatedAlreadyError from error
    audit.record(actor=actor, verb="nomination.write", subject=nomination)
    letters.nomination_received(nomination)
    letters.nomination_waiting(nomination, at=at)
    return nomination


@transaction.atomic
def withdraw_nomination(*, actor: User, nomination: Nomination) -> None:
    """By the one who wrote it. Raises NotWaitingError."""
    locked = _waiting(nomination)
    if locked.nominated_by_id != actor.pk:
        raise PermissionError("only who wrote it takes it back")
    locked.state = NominationState.WITHDRAWN
    locked.save(update_fields=["state"])
    audit.record(actor=actor, verb="nomination.withdraw", subject=locked)


@transaction.atomic
def approve_nomination(
    *, actor: User, nomination: Nomination, until: datetime, at: datetime, reason: str = ""
) -> Standing:
    """A standing from now on, or from the end of the one that runs.

    Raises NotWaitingError, OwnCaseError, NotLaterError.
    """
    locked = _waiting(nomination)
    _forbid_own_case(actor, locked)
    contributor = _contributor_of(locked, at=at)
    _decide(locked, NominationState.APPROVED, actor=actor, at=at, reason=reason)
    if _is_own(contributor, locked.nominated_by):
        link_account(contributor=contributor, user=locked.nominated_by, at=at)
    standing = lengthen_standing(
        actor=actor, contributor=contributor, until=until, at=at, reason=reason, nomination=locked
    )
    audit.record(actor=actor, verb="nomination.approve", subject=locked, until=until)
    letters.nomination_approved(locked, standing)
    return standing


@transaction.atomic
def reject_nomination(*, actor: User, nomination: Nomination, reason: str, at: datetime) -> None:
    """Raises NotWaitingError, OwnCaseError."""
    locked = _waiting(nomination)
    _forbid_own_case(actor, locked)
    _decide(locked, NominationState.REJECTED, actor=actor, at=at, reason=reason)
    audit.record(actor=actor, verb="nomination.reject", subject=locked, reason=reason)
    letters.nomination_rejected(locked)


def _waiting(nomination: Nomination) -> Nomination:
    found = (
        Nomination.objects.waiting()
        .select_for_update(of=("self",))
        .select_related("nominated_by")
        .filter(pk=nomination.pk)
        .first()
    )
    if found is None:
        raise NotWaitingError
    return found


def _forbid_own_case(actor: User, nomination: Nomination) -> None:
    if nomination.nominated_by_id == actor.pk or nomination.email == actor.email.lower():
        raise OwnCaseError


def _contributor_of(nomination: Nomination, *, at: datetime) -> Contributor:
    """The one of that address, locked; two reviewers at once make one."""
    Contributor.objects.bulk_create(
        [Contributor(email=nomination.email, name=nomination.name, created_at=at)],
        ignore_conflicts=True,
    )
    return (
        Contributor.objects.select_for_update(of=("self",))
        .select_related("user")
        .get(email__iexact=nomination.email)
    )


def _is_own(contributor: Contributor, nominator: User) -> bool:
    """Whether somebody nominated themselves: they need not accept what they asked for."""
    offered = Contributor.objects.offered_to(nominator).filter(pk=contributor.pk)
    return offered.exists() and not Contributor.objects.filter(user=nominator).exists()


def _decide(
    nomination: Nomination, state: NominationState, *, actor: User, at: datetime, reason: str
) -> None:
    nomination.state = state
    nomination.reviewed_by = actor
    nomination.reviewed_at = at
    nomination.reason = reason
    nomination.save(update_fields=["state", "reviewed_by", "reviewed_at", "reason"])
