"""The standing of a contributor: given, renewed, accepted, ended. The role follows it."""

from datetime import datetime, timedelta

from django.db import transaction

from portal.accounts.actions.role import grant_role, revoke_role
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.lib import audit
from portal.members import contributor_letters as letters
from portal.members.models import Contributor, Nomination, Standing

NOTICE = timedelta(days=30)  # before a standing ends


class NotLaterError(Exception):
    """The standing that runs lasts until then already."""


class NotOfferedError(Exception):
    """The contributor names no verified address of this account, or has one, or the account has."""


@transaction.atomic
def lengthen_standing(
    *,
    actor: User,
    contributor: Contributor,
    until: datetime,
    at: datetime,
    reason: str = "",
    nomination: Nomination | None = None,
) -> Standing:
    """One more standing, from now or from the end of the last. Raises NotLaterError."""
    contributor = _locked(contributor)
    last = contributor.standings.not_over(at).order_by("-ends_at").first()
    starts_at = last.ends_at if last else at
    if until <= starts_at:
        raise NotLaterError
    standing = Standing.objects.create(
        contributor=contributor,
        nomination=nomination,
        granted_by=actor,
        starts_at=starts_at,
        ends_at=until,
        reason=reason,
    )
    _give_role(contributor, actor=actor, at=at)
    audit.record(actor=actor, verb="standing.give", subject=standing, until=until)
    return standing


@transaction.atomic
def renew_standing(
    *, actor: User, contributor: Contributor, until: datetime, at: datetime, reason: str
) -> Standing:
    """By the staff, without a nomination. Raises NotLaterError."""
    standing = lengthen_standing(
        actor=actor, contributor=contributor, until=until, at=at, reason=reason
    )
    letters.standing_renewed(standing)
    return standing


@transaction.atomic
def accept_standing(
    *, user: User, contributor: Contributor, is_listed: bool, at: datetime
) -> Contributor:
    """`user` says "this is me": the account gets the role. Raises NotOfferedError."""
    locked = _offered(user, contributor)
    link_account(contributor=locked, user=user, at=at)
    locked.is_listed = is_listed
    locked.save(update_fields=["is_listed"])
    _give_role(locked, actor=user, at=at)
    audit.record(actor=user, verb="contributor.accept", subject=locked, is_listed=is_listed)
    return locked


@transaction.atomic
def decline_standing(*, user: User, contributor: Contributor, at: datetime) -> None:
    """`user` does not want to be a contributor. Raises NotOfferedError."""
    locked = _offered(user, contributor)
    _end(locked, at=at, reason="declined")
    audit.record(actor=user, verb="contributor.decline", subject=locked)


@transaction.atomic
def end_standing(*, actor: User, contributor: Contributor, at: datetime, reason: str) -> None:
    """By the staff, with a letter that says why; or by the person. Ended ones stay as they are."""
    locked = _locked(contributor)
    if not _end(locked, at=at, reason=reason):
        return
    audit.record(actor=actor, verb="contributor.end", subject=locked, reason=reason)
    if locked.user_id != actor.pk:
        letters.standing_ended(locked, reason=reason, at=at)


@transaction.atomic
def change_contributor(*, actor: User, contributor: Contributor) -> None:
    """Keep what a contributor says about themselves."""
    contributor.full_clean()
    contributor.save(update_fields=["name", "about", "website", "is_listed"])
    audit.record(
        actor=actor,
        verb="contributor.change",
        subject=contributor,
        is_listed=contributor.is_listed,
    )


def remind_of_ends(*, at: datetime) -> int:
    """A letter to each whose last standing ends within a month; once for each end."""
    ending = Contributor.objects.ending(at, NOTICE).select_related("user")
    for contributor in ending:
        standing = contributor.standing_on(at)
        if standing is not None:
            letters.standing_ends(standing)
    return len(ending)


@transaction.atomic
def correct_roles(*, at: datetime) -> int:
    """Give the role to those in standing who lack it; how many. The standing is the truth."""
    holders = RoleGrant.objects.active_on(at).filter(role=Role.CONTRIBUTOR).values("user")
    standing = Contributor.objects.active_on(at).filter(user__is_active=True)
    lacking = list(standing.exclude(user__in=holders).select_related("user"))
    for contributor in lacking:
        _give_role(contributor, actor=None, at=at)
    return len(lacking)


def link_account(*, contributor: Contributor, user: User, at: datetime) -> None:
    """The account that is this contributor from now on. Raises NotOfferedError if it is another."""
    if Contributor.objects.filter(user=user).exclude(pk=contributor.pk).exists():
        raise NotOfferedError
    contributor.user = user
    contributor.accepted_at = at
    contributor.save(update_fields=["user", "accepted_at"])


def _locked(contributor: Contributor) -> Contributor:
    """The row as it is now, ours until the end of the transaction."""
    rows = Contributor.objects.select_for_update(of=("self",)).select_related("user")
    return rows.get(pk=contributor.pk)


def _offered(user: User, contributor: Contributor) -> Contributor:
    locked = _locked(contributor)
    if not Contributor.objects.offered_to(user).filter(pk=contributor.pk).exists():
        raise NotOfferedError
    return locked


def _give_role(contributor: Contributor, *, actor: User | None, at: datetime) -> None:
    """The role for as long as the standings that follow each other last."""
    last = contributor.standings.not_over(at).order_by("-ends_at").first()
    if contributor.user is None or last is None:
        return
    grant_role(
        actor=actor,
        user=contributor.user,
        role=Role.CONTRIBUTOR,
        since=at,
        until=last.ends_at,
        reason="standing",
    )


def _end(contributor: Contributor, *, at: datetime, reason: str) -> bool:
    ended = False
    for standing in contributor.standings.not_over(at):
        standing.ended_at = max(at, standing.starts_at)
        standing.end_reason = reason
        standing.save(update_fields=["ended_at", "end_reason"])
        ended = True
    if contributor.user is not None:
        revoke_role(actor=None, user=contributor.user, role=Role.CONTRIBUTOR, at=at)
    return ended
