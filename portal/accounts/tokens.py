"""API tokens: scopes that exist, the role each needs, how one is made, read and checked."""

import hashlib
import secrets
from datetime import datetime

from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer

from portal.accounts.models import ApiToken, RoleGrant, User
from portal.accounts.roles import Role, Scope

PREFIX = "fp_"


class TokenScope(models.TextChoices):
    UPLOAD_RELEASES = "releases:upload", gettext_lazy("upload builds")
    PUBLISH_RELEASES = "releases:publish", gettext_lazy("publish releases")
    UPLOAD_BENCHMARKS = "benchmarks:upload", gettext_lazy("upload benchmarks")
    SUBMIT_FEEDBACK = "feedback:submit", gettext_lazy("submit reports of a fleet")
    BACKFILL_FEEDBACK = "feedback:backfill", gettext_lazy("add usage reports of the past")
    READ_VOTES = "votes:read", gettext_lazy("see which votes of yours are open")


# The role that its owner must hold, at every use, for the scope to work; none: any account.
ROLE_NEEDED: dict[TokenScope, tuple[Role, Scope] | None] = {
    TokenScope.UPLOAD_RELEASES: (Role.RELEASE_MANAGER, Scope.PRODUCT),
    TokenScope.PUBLISH_RELEASES: (Role.RELEASE_MANAGER, Scope.PRODUCT),
    TokenScope.UPLOAD_BENCHMARKS: None,
    TokenScope.SUBMIT_FEEDBACK: None,
    TokenScope.BACKFILL_FEEDBACK: (Role.STAFF, Scope.FOUNDATION),
    TokenScope.READ_VOTES: None,
}


def owner_may(user: User, scope: TokenScope, *, product: str = "", at: datetime) -> bool:
    """Whether the roles of `user` allow `scope`: for that product, or for any without a name."""
    needed = ROLE_NEEDED[scope]
    if needed is None:
        return user.is_active
    role, kind = needed
    grants = RoleGrant.objects.active_on(at).of(user).filter(role=role, scope_kind=kind)
    if product:
        grants = grants.filter(scope_slug__in=["", product])
    return user.is_active and grants.exists()


def scopes_of(user: User, *, at: datetime) -> list[TokenScope]:
    """The scopes that a new token of `user` may have."""
    return [scope for scope in TokenScope if owner_may(user, scope, at=at)]


def new_secret() -> str:
    """A fresh token text: 256 random bits behind a prefix that scanners know."""
    return PREFIX + secrets.token_urlsafe(32)


def digest(raw: str) -> str:
    """What is kept of a token: SHA-256 suffices, since the text is random."""
    return hashlib.sha256(raw.encode()).hexdigest()


def authenticate_token(
    raw: str, *, scope: TokenScope, at: datetime | None = None
) -> ApiToken | None:
    """The usable token of this text that allows `scope`, else None; notes the use once a minute.

    A token is worth no more than its owner: without the role that the scope needs it is refused.
    """
    moment = at or timezone.now()
    token = (
        ApiToken.objects.usable_at(moment)
        .filter(digest=digest(raw), scopes__contains=[scope.value])
        .select_related("user")
        .first()
    )
    if token is None:
        return None
    product = str(token.limits.get("product", ""))
    if not owner_may(token.user, scope, product=product, at=moment):
        return None
    if token.last_used_at is None or (moment - token.last_used_at).total_seconds() > 60:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=moment)
    return token


def scope_words(token: ApiToken) -> list[str]:
    """What the token may do, in words."""
    return [str(TokenScope(scope).label) for scope in token.scopes]


def refusal(raw: str, *, at: datetime) -> str:
    """Why a token that was not taken was not: the words for the program that sent it."""
    if ApiToken.objects.usable_at(at).filter(digest=digest(raw)).exists():
        return _("This token may not do this: it, or the role of its owner, is for something else.")
    page = reverse("accounts:tokens")
    return _("This token is unknown, expired or revoked; make one at %(page)s") % {"page": page}


class TokenAuth(HttpBearer):
    """Ninja authentication: `Authorization: Bearer <token>` that allows one scope.

    A token that is not good is refused in words; it is not asked for a session as well.
    """

    def __init__(self, scope: TokenScope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        found = authenticate_token(token, scope=self.scope)
        if found is None:
            raise AuthenticationError(message=refusal(token, at=timezone.now()))
        return found
