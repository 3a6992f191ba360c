"""A passkey in Chromium, with a virtual authenticator in place of a finger."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator

from portal.accounts.models import User
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


def with_authenticator(visitor: Visitor) -> Visitor:
    """The window has a device with a fingerprint reader that always says yes."""
    devtools: Any = visitor.page.context.new_cdp_session(visitor.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return visitor


def test_a_passkey_is_added_and_signs_in_without_a_password(visit: Visit, charlie: User) -> None:
    visitor = with_authenticator(visit(user=charlie))
    page = visitor.page
    visitor.open("/accounts/2fa/webauthn/add/")
    page.get_by_label("Name").fill("Laptop")
    page.get_by_label("without a password").check()
    page.get_by_role("button", name="Add the passkey").click()
    page.wait_for_url("**/accounts/2fa/**codes/")
    key = Authenticator.objects.get(user=charlie, type=Authenticator.Type.WEBAUTHN)
    assert str(key) == "Laptop"

    page.context.clear_cookies()
    visitor.open("/accounts/login/?next=/styleguide/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(f"{visitor.base}/styleguide/")
    assert page.get_by_role("link", name="Charlie").is_visible()
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert visitor.complaints == []


def test_a_passkey_is_the_second_factor_after_the_password(visit: Visit, charlie: User) -> None:
    visitor = with_authenticator(visit(user=charlie))
    page = visitor.page
    visitor.open("/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add the passkey").click()
    page.wait_for_url("**/accounts/2fa/**codes/")

    page.context.clear_cookies()
    visitor.open("/accounts/login/")
    page.get_by_label("E-mail address").fill(charlie.email)
    page.get_by_label("Password").fill("correct horse battery staple")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/accounts/2fa/authenticate/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{visitor.base}/accounts/")
    assert visitor.complaints == []


def test_an_authenticator_app_is_set_up_from_an_inline_picture(visit: Visit, charlie: User) -> None:
    visitor = visit(user=charlie)
    page = visitor.page
    visitor.open("/accounts/2fa/totp/activate/")
    assert page.get_by_role("img", name="QR code").is_visible()
    assert page.locator("img[src^='data:']").count() == 0
    assert visitor.complaints == []
