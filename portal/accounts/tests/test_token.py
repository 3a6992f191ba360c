from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone
from ninja.errors import AuthenticationError

from portal.accounts import tokens
from portal.accounts.actions.role import revoke_role
from portal.accounts.actions.token import issue_token, revoke_token
from portal.accounts.models import ApiToken, User
from portal.accounts.roles import Role, Scope
from portal.accounts.tokens import ROLE_NEEDED, TokenAuth, TokenScope, authenticate_token
from portal.lib.models import AuditEntry
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
UPLOAD = TokenScope.UPLOAD_RELEASES


def made(user: User, *scopes: TokenScope, **extra: Any) -> tuple[ApiToken, str]:
    expires = timezone.now() + timedelta(days=30)
    return issue_token(
        actor=user, name="ci", scopes=scopes or [UPLOAD], **{"expires_at": expires, **extra}
    )


def test_a_token_opens_what_it_was_made_for_and_nothing_else(dana: User) -> None:
    token, raw = made(dana)
    assert authenticate_token(raw, scope=UPLOAD) == token
    assert authenticate_token(raw, scope=TokenScope.PUBLISH_RELEASES) is None
    assert authenticate_token(raw + "x", scope=UPLOAD) is None


def test_only_its_fingerprint_is_kept(dana: User) -> None:
    token, raw = made(dana)
    stored = ApiToken.objects.filter(pk=token.pk).values().get()
    assert raw not in str(stored)
    assert stored["digest"] == tokens.digest(raw)
    assert raw not in str(list(AuditEntry.objects.values()))
    assert raw.startswith("fp_")
    assert str(token) == f"ci ({raw[:8]}…)"


def test_it_expires(dana: User) -> None:
    token, raw = made(dana)
    assert authenticate_token(raw, scope=UPLOAD, at=token.expires_at) is None


def test_it_is_revoked_once(dana: User) -> None:
    token, raw = made(dana)
    revoke_token(actor=dana, token=token)
    revoke_token(actor=dana, token=token)
    assert authenticate_token(raw, scope=UPLOAD) is None
    assert AuditEntry.objects.filter(verb="token.revoke").count() == 1


def test_it_dies_with_the_role_of_its_owner(dana: User) -> None:
    _, raw = made(dana)
    revoke_role(
        actor=None,
        user=dana,
        role=Role.RELEASE_MANAGER,
        scope_kind=Scope.PRODUCT,
        scope_slug="exampledb",
    )
    assert authenticate_token(raw, scope=UPLOAD) is None


def test_it_dies_with_the_account(dana: User) -> None:
    _, raw = made(dana)
    dana.is_active = False
    dana.save()
    assert authenticate_token(raw, scope=UPLOAD) is None


def test_its_last_use_is_noted_once_a_minute(dana: User) -> None:
    token, raw = made(dana)
    start = timezone.now()

    def used_at(moment: datetime) -> datetime | None:
        authenticate_token(raw, scope=UPLOAD, at=moment)
        token.refresh_from_db()
        return token.last_used_at

    assert used_at(start) == start
    assert used_at(start + timedelta(seconds=30)) == start
    assert used_at(start + timedelta(seconds=90)) == start + timedelta(seconds=90)


def test_a_token_may_do_no_more_than_its_owner(dana: User, charlie: User) -> None:
    with pytest.raises(ValueError, match="no more than its owner"):
        made(charlie)
    with pytest.raises(ValueError, match="no more than its owner"):
        made(dana, limits={"product": "otherdb"})
    made(charlie, TokenScope.UPLOAD_BENCHMARKS)


@pytest.mark.parametrize("days", [-1, 0, 400])
def test_a_token_expires_within_a_year(days: int, dana: User) -> None:
    with pytest.raises(ValueError, match="within a year"):
        made(dana, expires_at=timezone.now() + timedelta(days=days))


def test_a_token_must_allow_something(dana: User) -> None:
    with pytest.raises(ValueError, match="allow something"):
        issue_token(actor=dana, name="x", scopes=[], expires_at=timezone.now())


def test_every_scope_names_the_role_it_needs() -> None:
    assert ROLE_NEEDED.keys() == set(TokenScope)


def test_the_api_takes_it_from_the_header(dana: User) -> None:
    token, raw = made(dana)
    request = RequestFactory().get("/", headers={"Authorization": f"Bearer {raw}"})
    assert TokenAuth(UPLOAD)(request) == token
    with pytest.raises(AuthenticationError, match="for something else"):
        TokenAuth(TokenScope.PUBLISH_RELEASES)(request)
    assert TokenAuth(UPLOAD)(RequestFactory().get("/")) is None


def test_a_token_is_limited_to_a_series_of_a_product(dana: User) -> None:
    client = sign_in(dana)
    sent = {"name": "build", "scopes": [UPLOAD.value], "series": "12.3", "days": "30"}
    refused = client.post("/accounts/tokens/new/", sent).content.decode()
    assert "A series belongs to a product" in refused
    made_ = client.post("/accounts/tokens/new/", sent | {"product": "exampledb"})
    assert made_.context["token"].limits == {"product": "exampledb", "series": "12.3"}
    assert "12.3" in client.get("/accounts/tokens/").content.decode()


def test_a_token_is_made_on_the_page_and_shown_once(dana: User) -> None:
    client = sign_in(dana)
    sent = {"name": "build", "scopes": [UPLOAD.value], "product": "exampledb", "days": "30"}
    assert "exampledb" in client.get("/accounts/tokens/new/").content.decode()
    page = client.post("/accounts/tokens/new/", sent)
    assert page["Cache-Control"].startswith("max-age=0")
    raw = page.context["raw"]
    assert raw in page.content.decode()
    token = authenticate_token(raw, scope=UPLOAD)
    assert token is not None
    assert token.limits == {"product": "exampledb"}
    listed = client.get("/accounts/tokens/").content.decode()
    assert raw not in listed
    assert "build" in listed
    client.post(f"/accounts/tokens/{token.pk}/revoke/")
    assert authenticate_token(raw, scope=UPLOAD) is None
    assert "revoked" in client.get("/accounts/tokens/").content.decode()


def test_the_page_offers_no_scope_that_the_person_may_not_use(charlie: User) -> None:
    client = sign_in(charlie)
    page = client.get("/accounts/tokens/new/").content.decode()
    assert UPLOAD.value not in page
    sent = {"name": "x", "scopes": [UPLOAD.value], "days": "30"}
    assert client.post("/accounts/tokens/new/", sent).status_code == 200
    assert not ApiToken.objects.exists()
    assert "No token yet" in client.get("/accounts/tokens/").content.decode()


def test_nobody_revokes_the_token_of_another(dana: User, frank: User) -> None:
    token, raw = made(dana)
    assert sign_in(frank).post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 404
    assert authenticate_token(raw, scope=UPLOAD) is not None


def test_making_a_token_asks_again_who_it_is(dana: User, settings: Any) -> None:
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    answer = sign_in(dana).get("/accounts/tokens/new/")
    assert answer["Location"] == "/accounts/2fa/reauthenticate/?next=%2Faccounts%2Ftokens%2Fnew%2F"


def test_who_has_no_factor_is_asked_for_the_password(charlie: User, settings: Any) -> None:
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    answer = sign_in(charlie).get("/accounts/tokens/new/")
    assert answer["Location"].startswith("/accounts/reauthenticate/?next=")


def test_the_page_of_a_token_says_in_words_what_it_may(dana: User) -> None:
    client = sign_in(dana)
    sent = {"name": "ci", "scopes": [UPLOAD.value], "product": "exampledb", "series": "12.3"}
    page = client.post("/accounts/tokens/new/", sent | {"days": 7}).content.decode()
    assert "It may: upload builds. Only for exampledb 12.3." in page
    assert "export PORTAL_TOKEN=fp_" in page
    listed = client.get("/accounts/tokens/").content.decode()
    assert "upload builds" in listed
    assert "releases:upload" not in listed
