"""Who may open a page. People with a role have passed their second factor before they get here
(`middleware.py`), so a view only names the role it asks for.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from portal.accounts.models import User
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
