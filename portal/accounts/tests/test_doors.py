"""Each door where somebody proves who they are has a lock; `docs/security.md` lists them all."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from portal.accounts.models import User
from portal.accounts.tests.test_login import log_in
from portal.accounts.tests.test_second_factor import code_for
from portal.lib.models import OutboxMail
from tests.cast import PASSWORD, sign_in

pytestmark = pytest.mark.django_db
FACTOR = "/accounts/2fa/authenticate/"
AGAIN = "/accounts/2fa/reauthenticate/"


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


def at_the_factor(user: User) -> Client:
    client = Client()
    assert log_in(client, user.email)["Location"] == FACTOR
    return client


def opens(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def test_codes_of_an_app_are_not_tried_without_end(dana: User) -> None:
    """From whichever browser and address: the counter is the person's. Not even the right one."""
    for number in range(6):
        client = at_the_factor(dana)
        client.post(
            FACTOR, {"code": f"{number:06}"}, headers={"X-Forwarded-For": f"192.0.2.{number}"}
        )
    client = at_the_factor(dana)
    client.post(FACTOR, {"code": code_for(dana)})
    assert not opens(client)


def test_recovery_codes_are_not_tried_without_end(dana: User) -> None:
    own = sign_in(dana)
    own.post("/accounts/2fa/recovery-codes/generate/")
    code = own.get("/accounts/2fa/recovery-codes/").context["unused_codes"][0]
    client = at_the_factor(dana)
    for number in range(6):
        client.post(FACTOR, {"code": f"{number:08}"})
    client.post(FACTOR, {"code": code})
    assert not opens(client)


def test_a_code_is_good_once(dana: User) -> None:
    """Who looked over a shoulder comes too late."""
    code = code_for(dana)
    first, second = at_the_factor(dana), at_the_factor(dana)
    first.post(FACTOR, {"code": code})
    second.post(FACTOR, {"code": code})
    assert opens(first)
    assert not opens(second)


def test_proving_again_has_the_same_lock(dana: User) -> None:
    client = sign_in(dana)
    session = client.session
    session["account_authentication_methods"][0]["at"] = 0
    session.save()
    for number in range(6):
        client.post(AGAIN, {"code": f"{number:06}"})
    client.post(AGAIN, {"code": code_for(dana)})
    assert not opens(client)


def test_letters_for_a_new_password_are_not_asked_for_without_end(charlie: User) -> None:
    """And nobody learns whether there is an account: the answer is the same."""
    answers = [
        Client().post("/accounts/password/reset/", {"email": email})
        for email in [charlie.email, "nobody@example.org"]
    ]
    assert answers[0]["Location"] == answers[1]["Location"]
    for _each in range(30):
        last = Client().post("/accounts/password/reset/", {"email": charlie.email})
    assert last.status_code == 429
    assert OutboxMail.objects.filter(recipient=charlie.email).count() <= 5


def test_signing_in_begins_a_new_session(charlie: User) -> None:
    """A session that somebody else put into the browser before is worth nothing."""
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    client.post("/accounts/login/", {"login": charlie.email, "password": PASSWORD})
    assert opens(client)
    assert client.cookies["sessionid"].value != "a" * 32
