"""An account: opened for the first administrator, renamed, closed, its second factor reset."""

import uuid

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import models, transaction
from django.utils import timezone

from portal.accounts.actions.role import end_grant, grant_role
from portal.accounts.actions.token import revoke_token
from portal.accounts.models import ApiToken, RoleGrant, User
from portal.accounts.roles import Role
from portal.lib import audit, outbox


class LastOfStaffError(Exception):
    """Somebody must keep the keys: the last person of the staff cannot leave."""


@transaction.atomic
def rename_person(*, actor: User, user: User, name: str) -> None:
    before = user.name
    user.name = name
    user.save(update_fields=["name"])
    if before != name:
        audit.record(actor=actor, verb="account.rename", subject=user, before=before, after=name)


def choose_language(*, user: User, language: str) -> None:
    """In which language letters reach a person. It is theirs alone, so that no log tells of it."""
    User.objects.filter(pk=user.pk).exclude(language=language).update(language=language)


@transaction.atomic
def create_administrator(*, email: str, name: str = "") -> User:
    """The account of that address, active, its address verified, with the role `staff`."""
    email = email.strip().lower()
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(email, name=name)
        audit.record(actor=None, verb="account.open", subject=user)
    if not user.is_active:
        reopen_account(actor=None, user=user)
    EmailAddress.objects.update_or_create(
        user=user, email=email, defaults={"verified": True, "primary": True}
    )
    grant_role(actor=None, user=user, role=Role.STAFF, reason="create_administrator")
    return user


@transaction.atomic
def reset_second_factor(*, actor: User | None, user: User, reason: str = "") -> int:
    """Forget every factor of a person who lost theirs, end their sessions, tell them by mail.

    The number of factors that were forgotten.
    """
    factors, _ = Authenticator.objects.filter(user=user).delete()
    end_sessions(user)
    audit.record(
        actor=actor, verb="second_factor.reset", subject=user, factors=factors, reason=reason
    )
    outbox.enqueue(
        to=user.email,
        template="second_factor_reset",
        context={"person": user},
        key=f"second_factor.reset:{uuid.uuid4()}",
    )
    return int(factors)


@transaction.atomic
def close_account(*, actor: User | None, user: User) -> None:
    """Nobody signs in with it any more; what the person did stays, with their name.

    Raises LastOfStaffError.
    """
    now = timezone.now()
    staff = RoleGrant.objects.active_on(now).filter(role=Role.STAFF, user__is_active=True)
    holders = set(staff.select_for_update().values_list("user_id", flat=True))
    if holders == {user.pk}:
        raise LastOfStaffError
    for grant in RoleGrant.objects.not_over(now).of(user):
        end_grant(actor=actor, grant=grant, at=now)
    for token in ApiToken.objects.of(user).filter(revoked_at__isnull=True):
        revoke_token(actor=actor, token=token)
    Authenticator.objects.filter(user=user).delete()
    end_sessions(user)
    user.is_active = False
    user.set_unusable_password()
    user.save(update_fields=["is_active", "password"])
    audit.record(actor=actor, verb="account.close", subject=user)
    outbox.enqueue(
        to=user.email,
        template="account_closed",
        context={"person": user},
        key=f"account.close:{uuid.uuid4()}",
    )


@transaction.atomic
def reopen_account(*, actor: User | None, user: User) -> None:
    """Let a person sign in again, by a new password; their roles are given anew."""
    if not user.is_active:
        user.is_active = True
        user.save(update_fields=["is_active"])
        audit.record(actor=actor, verb="account.reopen", subject=user)


def end_sessions(user: User) -> None:
    """Sign the person out everywhere."""
    User.objects.filter(pk=user.pk).update(sign_outs=models.F("sign_outs") + 1)
    UserSession.objects.filter(user=user).delete()
