import pytest
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from portal.accounts.access import recently_authenticated, role_required, signed_in
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope

pytestmark = pytest.mark.django_db


@role_required(Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT, scope_slug="exampledb")
def guarded(request: HttpRequest) -> HttpResponse:
    return HttpResponse("in")


@recently_authenticated
def sensitive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("in")


def asked_by(user: User | AnonymousUser) -> HttpRequest:
    request = RequestFactory().get("/x/?y=1")
    request.user = user
    request.session = {}  # type: ignore[assignment]
    return request


def test_a_view_for_a_role_opens_for_those_who_hold_it(dana: User) -> None:
    assert guarded(asked_by(dana)).status_code == 200


def test_others_are_refused_and_strangers_sign_in_first(erin: User) -> None:
    with pytest.raises(PermissionDenied):
        guarded(asked_by(erin))
    answer = guarded(asked_by(AnonymousUser()))
    assert answer.headers["Location"] == "/accounts/login/?next=/x/%3Fy%3D1"


def test_a_sensitive_view_asks_for_a_fresh_proof(dana: User) -> None:
    with pytest.raises(ReauthenticationRequired):
        sensitive(asked_by(dana))
    assert sensitive(asked_by(AnonymousUser())).status_code == 302


def test_nobody_is_no_person() -> None:
    with pytest.raises(PermissionDenied):
        signed_in(asked_by(AnonymousUser()))
