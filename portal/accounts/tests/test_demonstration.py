import re
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from portal.accounts import demonstration
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, has_role
from portal.lib.models import AuditEntry
from tests.shared import shared

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _demonstration(settings: Any) -> None:
    cache.clear()
    settings.DEMONSTRATION = True
    settings.DEMONSTRATION_PASSWORD = "made at the first start"


def test_the_cast_is_loaded_once() -> None:
    def loaded() -> tuple[int, int, int]:
        demonstration.load(actor=None, at=timezone.now())
        return User.objects.count(), RoleGrant.objects.count(), AuditEntry.objects.count()

    first = loaded()
    assert first[0] == len(demonstration.CAST)
    assert loaded() == first
    assert has_role(demonstration.person(demonstration.FRANK), Role.STAFF)


def test_the_password_of_all_is_hashed_once() -> None:
    one, other = demonstration.person("Ada Example"), demonstration.person("Bea Example")
    assert one.password == other.password, "a hash is slow on purpose"
    assert one.check_password("made at the first start")


@shared
def loaded(_demonstration: None) -> None:
    demonstration.load(actor=None, at=timezone.now())


@pytest.mark.parametrize("login", demonstration.CAST, ids=lambda login: login.name)
def test_a_visitor_signs_in_with_what_is_printed(loaded: None, login: demonstration.Login) -> None:
    client = Client()
    sent = {"login": login.email, "password": "made at the first start"}
    answer = client.post("/accounts/login/", sent)
    if answer["Location"] == "/accounts/2fa/authenticate/":
        client.post(answer["Location"], {"code": demonstration.totp_code(login.email)})
    assert client.get("/accounts/").status_code == 200


def test_the_codes_of_this_moment_are_told_again_and_those_of_others(loaded: None) -> None:
    kemi = demonstration.person("Kemi Adeyemi")
    dana = demonstration.address(demonstration.DANA)
    assert f"second factor {demonstration.totp_secret(dana)}, code now " in said()
    assert f"second factor {demonstration.totp_secret(kemi.email)}, code now " in said("kemi")
    assert dana not in said("kemi")
    with pytest.raises(CommandError, match=re.escape("is nobody@example.org")):
        said("nobody")


def said(*names: str) -> str:
    out = StringIO()
    call_command("logins", *names, stdout=out)
    return out.getvalue()
