"""Everyone with a role has a second factor before any other page opens."""

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone

from portal.accounts.models import RoleGrant, User

OPEN_PREFIXES = ("/accounts/", "/static/", "/theme/", "/health/", "/csp-report/")


class SecondFactorMiddleware:
    """Sends a signed-in person with a role (or staff) to set up their second factor first.

    A login of somebody who has one asks for it: allauth's stage sees to that.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        user = request.user
        if (
            isinstance(user, User)
            and not request.path.startswith(OPEN_PREFIXES)
            and must_have_second_factor(user)
            and not is_mfa_enabled(user)
        ):
            return redirect("mfa_index")
        return self.get_response(request)


def must_have_second_factor(user: User) -> bool:
    return (
        user.is_staff
        or user.is_superuser
        or RoleGrant.objects.active_on(timezone.now()).of(user).exists()
    )
