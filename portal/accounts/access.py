"""Who may open a page. People with a role have passed their second factor before they get here
(`middleware.py`), so a view only names the role it asks for.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope, has_role

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def signed_in(request: HttpRequest) -> User:
    """The person behind a request of a page that asks for a login."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def role_required(
    *roles: Role, scope_kind: Scope = Scope.FOUNDATION, scope_slug: str = ""
) -> Callable[[View[P]], View[P]]:
    """Only for people who hold one of `roles`; others get 403, strangers the login."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not has_role(request.user, *roles, scope_kind=scope_kind, scope_slug=scope_slug):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return cast(View[P], guarded)

    return decorate


def second_factor_passed(request: HttpRequest, user: User) -> bool:
    """Whether this session proved a second factor of `user` within the last hours
    (`SECOND_FACTOR_HOURS`): a working day, not for as long as a browser stays signed in.
    """
    oldest = time.time() - settings.SECOND_FACTOR_HOURS * 3600
    return any(
        record.get("method") == "mfa" and record["at"] > oldest
        for record in get_authentication_records(request, user)
    )


def has_role_now(user: User) -> bool:
    """Whether the person holds any role, and so must have a second factor."""
    return RoleGrant.objects.active_on(timezone.now()).of(user).exists()


def has_second_factor(user: User) -> bool:
    """Whether an app or a passkey is set up; recovery codes alone are none."""
    kinds = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    found: bool = Authenticator.objects.filter(user_id=user.pk, type__in=kinds).exists()
    return found


def authenticated_recently(request: HttpRequest) -> bool:
    """Whether the person of this session proved who they are within the last minutes
    (`ACCOUNT_REAUTHENTICATION_TIMEOUT`); by their second factor, if they have one.
    """
    latest: float = last_authentication(request)["at"]
    return time.time() - latest < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def last_authentication(request: HttpRequest) -> dict[str, Any]:
    """How (`method`, `type`) and when (`at`, seconds since 1970) the person of this session proved
    last who they are; by their second factor, if they have one.
    """
    user = signed_in(request)
    records: list[dict[str, Any]] = get_authentication_records(request, user)
    if has_second_factor(user):
        records = [record for record in records if record.get("method") == "mfa"]
    return max(records, key=lambda record: record["at"], default={"method": "", "at": 0.0})


def recently_authenticated(view: View[P]) -> View[P]:
    """For sensitive acts: asks the person to prove again who they are, then goes on as before."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not authenticated_recently(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return cast(View[P], guarded)
