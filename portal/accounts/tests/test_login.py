"""Signing up, signing in, changing what one signs in with: through real pages."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import PASSWORD, sign_in

pytestmark = pytest.mark.django_db
NEW_PASSWORD = "another horse, other battery"


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


def log_in(client: Client, email: str, password: str = PASSWORD, **extra: Any) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": password, **extra})


def link_in(mail: OutboxMail) -> str:
    """The path of the first link of a letter that leads to the site."""
    found = re.search(r"https?://[^/\s]+(/accounts/\S+)", mail.text)
    assert found, mail.text
    return found[1]


def test_a_stranger_opens_an_account_by_a_confirmed_address(client: Client) -> None:
    sent = {
        "name": "Gina",
        "email": "Gina@Example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    assert client.post("/accounts/signup/", sent)["Location"] == "/accounts/confirm-email/"
    user = User.objects.get(email="gina@example.org")
    assert user.name == "Gina"
    log_in(client, user.email)
    assert client.get("/accounts/").status_code == 302  # not confirmed yet

    letter = OutboxMail.objects.filter(recipient=user.email).earliest("id")
    assert "Example DB Foundation" in letter.text
    assert client.post(link_in(letter)).status_code == 302
    log_in(client, user.email)
    assert client.get("/accounts/").status_code == 200
    assert AuditEntry.objects.filter(verb="account.open", subject_id=str(user.pk)).exists()


def test_an_address_that_has_an_account_is_told_by_mail_not_on_the_page(
    client: Client, charlie: User
) -> None:
    sent = {"name": "X", "email": charlie.email, "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", sent)["Location"] == "/accounts/confirm-email/"
    assert User.objects.count() == 1
    assert "There is one already" in OutboxMail.objects.get().text


def test_a_forgotten_password_is_chosen_anew(client: Client, charlie: User) -> None:
    client.post("/accounts/password/reset/", {"email": charlie.email})
    page = client.get(link_in(OutboxMail.objects.get()), follow=True)
    path = page.redirect_chain[-1][0]
    client.post(path, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    log_in(client, charlie.email)
    assert client.get("/accounts/").status_code == 302
    log_in(client, charlie.email, NEW_PASSWORD)
    assert client.get("/accounts/").status_code == 200
    assert AuditEntry.objects.filter(verb="account.password", actor=charlie).exists()


def test_a_new_password_signs_other_browsers_out(charlie: User) -> None:
    here, there = sign_in(charlie), sign_in(charlie)
    sent = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    here.post("/accounts/password/change/", sent)
    assert there.get("/accounts/").status_code == 302


def test_a_new_address_takes_the_place_of_the_old_when_it_is_confirmed(dana: User) -> None:
    client = sign_in(dana)
    client.post("/accounts/email/", {"action_add": "", "email": "dana@new.example"})
    dana.refresh_from_db()
    assert dana.email == "dana@example.org"
    assert b"dana@new.example" in client.get("/accounts/email/").content
    client.post(link_in(OutboxMail.objects.get(recipient="dana@new.example")))
    dana.refresh_from_db()
    assert dana.email == "dana@new.example"
    assert [a.email for a in EmailAddress.objects.filter(user=dana)] == ["dana@new.example"]
    assert AuditEntry.objects.filter(verb="account.email", actor=dana).exists()
    assert OutboxMail.objects.filter(recipient="dana@example.org").exists()


def test_the_overview_says_whose_account_it_is(dana: User) -> None:
    page = sign_in(dana).get("/accounts/").content.decode()
    assert "Dana" in page
    assert "dana@example.org" in page
    assert "Release manager (exampledb)" in page


def test_the_overview_leads_to_where_the_work_is(dana: User, frank: User, charlie: User) -> None:
    places = {"/releases/manage/": dana, "/staff/": frank}
    for path, person in places.items():
        assert (
            f'class="button second" href="{path}"'
            in sign_in(person).get("/accounts/").content.decode()
        )
    page = sign_in(charlie).get("/accounts/").content.decode()
    assert not any(f'href="{path}"' in page for path in places)


def test_a_session_is_listed_and_ended_from_another(charlie: User) -> None:
    here, there = Client(), Client()
    log_in(here, charlie.email)
    log_in(there, charlie.email)
    assert b"2 browsers" in here.get("/accounts/sessions/").content
    here.post("/accounts/sessions/")
    assert there.get("/accounts/").status_code == 302
    assert here.get("/accounts/").status_code == 200


@pytest.mark.parametrize("path", ["/accounts/login/", "/staff/login/"])
def test_sixty_wrong_passwords_are_not_all_answered(path: str, client: Client, frank: User) -> None:
    """Ours is the one door: the staff pages lead to it, and it shuts."""
    opened = client.get(f"{path}?next=/staff/", follow=True)
    door = opened.redirect_chain[-1][0] if opened.redirect_chain else path
    answers = [
        client.post(door, {"login": frank.email, "password": f"wrong{n}"}) for n in range(60)
    ]
    assert [answer.status_code for answer in answers].count(429) >= 30
    assert b"Too many tries" in answers[-1].content
    checked = sum(b"not correct" in answer.content for answer in answers)
    assert checked <= 5
    assert log_in(client, frank.email).status_code == 429
    assert "_auth_user_id" not in client.session


def test_the_right_password_is_not_tried_either_once_the_account_is_guarded(
    client: Client, charlie: User
) -> None:
    for number in range(6):
        log_in(client, charlie.email, f"wrong{number}")
    log_in(client, charlie.email)
    assert "_auth_user_id" not in client.session


def test_the_counters_are_shared_by_all_web_processes(charlie: User, settings: Any) -> None:
    """They stand in Redis, not in the memory of the process that counted."""
    assert settings.CACHES["default"]["BACKEND"].endswith("RedisCache")
    log_in(Client(), charlie.email, "wrong")
    keys = cache._cache.get_client().keys("*allauth:rl*")  # type: ignore[attr-defined]
    assert keys


def test_a_client_cannot_change_its_address_to_try_again(charlie: User) -> None:
    statuses = [
        Client(headers={"X-Forwarded-For": f"192.0.2.{number}"})
        .post("/accounts/login/", {"login": f"x{number}@example.org", "password": "wrong"})
        .status_code
        for number in range(40)
    ]
    assert 429 in statuses


def test_behind_a_proxy_of_ours_clients_are_counted_apart(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    statuses = {
        Client(headers={"X-Forwarded-For": f"192.0.2.{number}"})
        .post("/accounts/login/", {"login": f"x{number}@example.org", "password": "wrong"})
        .status_code
        for number in range(40)
    }
    assert statuses == {200}


@pytest.mark.parametrize(
    "target",
    [
        *("https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example"),
        *("javascript:alert(1)", "https:evil.example", "http://testserver@evil.example/"),
    ],
)
def test_nobody_is_led_away_by_next(target: str, client: Client, charlie: User) -> None:
    answer = log_in(client, charlie.email, next=target)
    assert answer["Location"] == "/accounts/"
    assert sign_in(charlie).get(f"/accounts/login/?next={target}")["Location"] == "/accounts/"
    left = sign_in(charlie).post("/accounts/logout/", {"next": target})
    assert left["Location"] == "/"


def test_next_leads_back_to_a_page_of_ours(client: Client, charlie: User) -> None:
    assert log_in(client, charlie.email, next="/news/?page=2")["Location"] == "/news/?page=2"


def test_a_closed_account_does_not_open(client: Client, charlie: User) -> None:
    charlie.is_active = False
    charlie.save()
    log_in(client, charlie.email)
    assert "_auth_user_id" not in client.session


def test_the_name_is_changed(charlie: User) -> None:
    client = sign_in(charlie)
    assert client.get("/accounts/profile/").status_code == 200
    assert client.post("/accounts/profile/", {"name": ""}).status_code == 200
    client.post("/accounts/profile/", {"name": "Charles"})
    client.post("/accounts/profile/", {"name": "Charles"})
    charlie.refresh_from_db()
    assert charlie.name == "Charles"
    assert AuditEntry.objects.filter(verb="account.rename").count() == 1


def test_sign_ins_leave_a_line_without_what_was_typed(
    charlie: User, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client()
    with caplog.at_level("INFO", logger="portal.sign_in"):
        log_in(client, charlie.email, "not the password")
        log_in(client, charlie.email)
        client.post("/accounts/logout/")
    lines = [one.getMessage() for one in caplog.records if one.name == "portal.sign_in"]
    assert lines == [
        "a sign-in was refused at /accounts/login/",
        f"person {charlie.pk} signed in",
        f"person {charlie.pk} signed out",
    ]
