"""Addresses of this app for tests that walk the whole site."""

from collections.abc import Callable

from django.urls import reverse

from portal.accounts.models import RoleGrant
from portal.lib import outbox
from portal.lib.models import OutboxMail


def _end_of_a_grant() -> str:
    return reverse("accounts:grant_end", args=[RoleGrant.objects.earliest("pk").pk])


def _retry_of_a_letter() -> str:
    outbox.promise(to="x@example.org", subject="Sample", text="Sample", key="sample")
    return reverse("accounts:mail_retry", args=[OutboxMail.objects.earliest("pk").pk])


# Tokens and passkeys of a person are made by that person only: the tests of this app look at them.
SAMPLES: dict[str, Callable[[], str]] = {
    "accounts:grant_end": _end_of_a_grant,
    "accounts:mail_retry": _retry_of_a_letter,
    "accounts:token_revoke": lambda: "/accounts/tokens/1/revoke/",
    "account_confirm_email": lambda: "/accounts/confirm-email/expired/",
    "account_reset_password_from_key": lambda: "/accounts/password/reset/key/1-expired/",
    "mfa_remove_webauthn": lambda: "/accounts/2fa/webauthn/keys/1/remove/",
    "mfa_edit_webauthn": lambda: "/accounts/2fa/webauthn/keys/1/edit/",
}
