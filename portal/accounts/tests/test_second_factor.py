"""Nobody with a role gets anywhere without a second factor."""

import json
import time
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal.accounts.access import has_second_factor
from portal.accounts.actions.role import grant_role
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.accounts.tokens import TokenScope, authenticate_token
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import PASSWORD, make_person, sign_in

ClientFor = Callable[[User], Client]


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


def code_for(user: User) -> str:
    """What the app of `user` shows now."""
    totp = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)
    secret = decrypt(totp.data["secret"])
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def with_password_only(user: User) -> Client:
    """A session of before the person had a second factor."""
    client = Client()
    client.force_login(user)
    return client


def newcomer_with_role() -> User:
    user = make_person("newcomer")
    grant_role(actor=None, user=user, role=Role.TREASURER)
    return user


@pytest.mark.django_db
def test_who_receives_a_role_while_signed_in_sets_up_a_factor_first(charlie: User) -> None:
    client = sign_in(charlie)
    assert client.get("/news/").status_code == 200
    grant_role(actor=None, user=charlie, role=Role.CONTRIBUTOR)
    response = client.get("/news/?page=2")
    assert response.status_code == 302
    assert response["Location"] == "/accounts/2fa/?next=%2Fnews%2F%3Fpage%3D2"
    assert client.get(response["Location"]).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        *("/", "/news/", "/staff/", "/accounts/", "/accounts/tokens/", "/accounts/roles/"),
        "/404/",
        "/metrics",
    ],
)
def test_without_a_factor_nothing_opens_but_setting_one_up(path: str) -> None:
    client = with_password_only(newcomer_with_role())
    if path == "/404/":
        assert client.get(path).status_code == 404
    else:
        assert client.get(path)["Location"].startswith("/accounts/2fa/?next=")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/"],
)
def test_a_session_that_did_not_pass_the_factor_cannot_reach_its_settings(
    path: str, dana: User
) -> None:
    response = with_password_only(dana).get(path)
    assert response.status_code == 302
    assert urlsplit(response["Location"]).path == "/accounts/2fa/reauthenticate/"


@pytest.mark.django_db
def test_the_password_alone_does_not_stand_in_for_the_factor(dana: User) -> None:
    client = with_password_only(dana)
    response = client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert response["Location"].startswith("/accounts/2fa/reauthenticate/")
    assert client.get("/news/").status_code == 302


@pytest.mark.django_db
def test_passing_the_factor_leads_to_the_page_that_was_asked_for(dana: User) -> None:
    client = with_password_only(dana)
    asked = client.get("/news/?page=2")["Location"]
    assert parse_qs(urlsplit(asked).query) == {"next": ["/news/?page=2"]}
    response = client.post(asked, {"code": code_for(dana), "next": "/news/?page=2"})
    assert response["Location"] == "/news/?page=2"
    assert client.get("/news/").status_code == 200


@pytest.mark.django_db
def test_an_act_that_came_too_early_is_not_done_and_does_not_become_a_page(dana: User) -> None:
    response = with_password_only(dana).post("/accounts/profile/", {"name": "Eve"})
    assert response["Location"].endswith("?next=%2Faccounts%2F")
    dana.refresh_from_db()
    assert dana.name == "Dana"


@pytest.mark.django_db
def test_a_fragment_is_told_to_load_the_whole_page(dana: User) -> None:
    response = with_password_only(dana).get("/news/", headers={"HX-Request": "true"})
    assert (response.status_code, response.content) == (200, b"")
    assert response["HX-Redirect"] == "/accounts/2fa/reauthenticate/"


@pytest.mark.django_db
def test_a_session_is_refused_by_the_api_in_json(dana: User) -> None:
    response = with_password_only(dana).get("/api/v1/openapi.json")
    assert response.status_code == 403
    assert "second factor" in json.loads(response.content)["detail"]


@pytest.mark.django_db
def test_a_token_needs_no_session(dana: User, client: Client) -> None:
    expires = timezone.now() + timedelta(days=1)
    _, raw = issue_token(
        actor=dana, name="ci", scopes=[TokenScope.UPLOAD_RELEASES], expires_at=expires
    )
    assert authenticate_token(raw, scope=TokenScope.UPLOAD_RELEASES) is not None
    headers = {"Authorization": f"Bearer {raw}"}
    assert client.get("/api/v1/openapi.json", headers=headers).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/logout/", "/theme/", "/csp-report/", "/health/live"])
def test_leaving_and_machines_are_never_in_the_way(path: str, dana: User) -> None:
    response = with_password_only(dana).generic("GET" if "health" in path else "POST", path)
    assert "2fa" not in response.headers.get("Location", "")


@pytest.mark.django_db
def test_people_without_a_role_need_none(charlie: User) -> None:
    assert with_password_only(charlie).get("/accounts/").status_code == 200


@pytest.mark.django_db
def test_recovery_codes_alone_are_no_second_factor(charlie: User) -> None:
    Authenticator.objects.create(
        user=charlie, type=Authenticator.Type.RECOVERY_CODES, data={"migrated_codes": []}
    )
    assert not has_second_factor(charlie)


@pytest.mark.django_db
def test_a_passkey_is_asked_before_recovery_codes_where_there_is_no_app() -> None:
    user = newcomer_with_role()
    for kind, data in [
        (Authenticator.Type.WEBAUTHN, {"name": "Key", "credential": {}}),
        (Authenticator.Type.RECOVERY_CODES, {"migrated_codes": []}),
    ]:
        Authenticator.objects.create(user=user, type=kind, data=data)
    response = with_password_only(user).get("/news/")
    assert response["Location"].startswith("/accounts/2fa/webauthn/reauthenticate/?next=")


@pytest.mark.django_db(transaction=True)
def test_setting_up_an_app_opens_the_site_and_is_told_and_logged() -> None:
    user = newcomer_with_role()
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    client.get("/news/?page=2")
    page = client.get("/accounts/2fa/totp/activate/")
    assert page.status_code == 200
    assert b"<svg" in page.content
    assert b"data:image" not in page.content
    secret = page.context["form"].secret
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    response = client.post("/accounts/2fa/totp/activate/", {"code": code})
    assert response["Location"] == "/accounts/2fa/recovery-codes/"
    assert b'href="/news/?page=2"' in client.get(response["Location"]).content
    assert client.get("/news/?page=2").status_code == 200
    assert b"the page you wanted" not in client.get(response["Location"]).content
    assert AuditEntry.objects.filter(verb="second_factor.add", subject_id=str(user.pk)).exists()
    assert OutboxMail.objects.filter(recipient=user.email, subject__icontains="app").exists()
    stored = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP).data["secret"]
    assert secret not in stored


@pytest.mark.django_db
def test_the_last_factor_of_a_role_holder_stays(dana: User, client_for: ClientFor) -> None:
    client_for(dana).post("/accounts/2fa/totp/deactivate/")
    assert has_second_factor(dana)


@pytest.mark.django_db
def test_who_has_no_role_may_switch_it_off(charlie: User) -> None:
    TOTP.activate(charlie, "JBSWY3DPEHPK3PXP")
    sign_in(charlie).post("/accounts/2fa/totp/deactivate/")
    assert not has_second_factor(charlie)
    assert AuditEntry.objects.filter(verb="second_factor.remove").exists()


@pytest.mark.django_db
def test_a_secret_survives_the_change_of_keys_and_dies_with_the_last(
    dana: User, settings: object
) -> None:
    def accepts() -> bool:
        totp = Authenticator.objects.get(user=dana, type=Authenticator.Type.TOTP).wrap()
        cache.clear()
        return bool(totp.validate_code(code))

    code = code_for(dana)
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another-" + "y" * 50  # type: ignore[attr-defined]
    settings.SECRET_KEY_FALLBACKS = [old]  # type: ignore[attr-defined]
    assert accepts()
    settings.SECRET_KEY_FALLBACKS = []  # type: ignore[attr-defined]
    assert not accepts()


@pytest.mark.django_db(transaction=True)
def test_new_recovery_codes_are_logged(dana: User, client_for: ClientFor) -> None:
    client = client_for(dana)
    client.post("/accounts/2fa/recovery-codes/generate/")
    page = client.get("/accounts/2fa/recovery-codes/")
    assert page.context["unused_codes"]
    client.post("/accounts/2fa/recovery-codes/generate/")
    assert AuditEntry.objects.filter(verb="second_factor.renew").count() == 2


@pytest.mark.django_db
def test_a_recovery_code_signs_in_once(dana: User) -> None:
    own = sign_in(dana)
    own.post("/accounts/2fa/recovery-codes/generate/")
    code = own.get("/accounts/2fa/recovery-codes/").context["unused_codes"][0]
    for signed_in in (True, False):
        client = Client()
        client.post("/accounts/login/", {"login": dana.email, "password": PASSWORD})
        client.post("/accounts/2fa/authenticate/", {"code": code})
        assert (client.get("/accounts/").status_code == 200) is signed_in


@pytest.mark.django_db
def test_a_passkey_is_offered_at_sign_in_to_those_who_have_one(dana: User) -> None:
    client = Client()
    answer = client.post("/accounts/login/", {"login": dana.email, "password": PASSWORD})
    assert answer["Location"] == "/accounts/2fa/authenticate/"
    assert b"Use a passkey" not in client.get(answer["Location"]).content


def test_a_factor_that_was_proved_yesterday_is_asked_for_again(dana: User) -> None:
    """However long the browser stays signed in; who has no role is not asked."""
    client = sign_in(dana)
    assert client.get("/accounts/").status_code == 200
    session = client.session
    session["account_authentication_methods"][0]["at"] -= 12 * 3600 + 1
    session.save()
    answer = client.get("/accounts/tokens/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/2fa/reauthenticate/")
