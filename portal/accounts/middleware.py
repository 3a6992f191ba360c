"""Everyone with a role passes a second factor before any page opens."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from portal.accounts.access import has_role_now, has_second_factor, second_factor_passed
from portal.accounts.form_page import SAFE, wanted_page
from portal.accounts.models import User

# Open to a person whose session did not pass the factor they have. Everything else is shut. Who
# signs a company up gets the role with the payment, and must see that it landed.
ALWAYS_OPEN = {
    *("account_login", "account_logout", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
    *("theme", "language", "csp_report", "robots", "favicon", "health_live", "health_ready"),
    *("sponsors:status", "sponsors:returned"),
}
# Open besides, to a person who has no factor yet: what it takes to set one up.
SET_UP = ("account_", "mfa_")
WANTED = "wanted_before_second_factor"  # in the session: where somebody goes on who set one up


class SecondFactorMiddleware:
    """Sends people with a role to set up a second factor, or to pass the one they have.

    A login asks for it by itself (allauth's stage). This is for the sessions that a login did not
    check: a role given meanwhile, a factor set up in another window. API tokens have no session
    and are not concerned.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        user = request.user
        name = (request.resolver_match and request.resolver_match.view_name) or ""
        if not isinstance(user, User) or name in ALWAYS_OPEN:
            return None
        if not has_role_now(user):
            return None
        if not has_second_factor(user):
            return None if name.startswith(SET_UP) else _sent_to_set_up(request)
        if second_factor_passed(request, user):
            _note_arrival(request)
            return None
        return _sent_to(request, get_adapter().get_reauthentication_methods(user)[0]["url"])


def _sent_to_set_up(request: HttpRequest) -> HttpResponse:
    """What was wanted is kept: setting up takes several pages, and the last one leads there."""
    if request.method in {"GET", "HEAD"}:
        request.session[WANTED] = request.get_full_path()
    return _sent_to(request, reverse("mfa_index"))


def _note_arrival(request: HttpRequest) -> None:
    if request.session.get(WANTED) == request.get_full_path():
        del request.session[WANTED]


def _sent_to(request: HttpRequest, path: str) -> HttpResponse:
    """The answer to a request that comes too early: page, fragment or program each in its way."""
    if request.path.startswith("/api/"):
        detail = _("Pass your second factor on the site first.")
        return JsonResponse({"detail": detail}, status=HTTPStatus.FORBIDDEN)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": path})
    return redirect(f"{path}?{urlencode({'next': wanted_page(request, '/accounts/')})}")


class FormPageMiddleware:
    """Who was signed out while they wrote goes on, after signing in, at the page with the form.

    Views send to the sign-in page with the address that was asked for. That of a form that was
    sent may answer to nothing else, and the browser keeps what was typed for the page of the form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        sent_to = urlsplit(response.headers.get("Location", ""))
        if request.method in SAFE or sent_to.path != reverse("account_login"):
            return response
        if parse_qs(sent_to.query).get("next") == [request.get_full_path()]:
            wanted = wanted_page(request, request.get_full_path())
            response.headers["Location"] = f"{sent_to.path}?{urlencode({'next': wanted})}"
        return response
