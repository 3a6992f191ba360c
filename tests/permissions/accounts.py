from datetime import timedelta

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from django.utils import timezone

from portal.accounts.actions.token import issue_token
from portal.accounts.tokens import TokenScope
from portal.lib import outbox
from portal.lib.models import OutboxMail
from tests.permissions import EVERYBODY, NOBODY, SIGNED_IN, STAFF, WITH_ROLE, Cast, Page


def unconfirmed(cast: Cast) -> str:
    address = EmailAddress.objects.create(user=cast["charlie"], email="second@example.org")
    return f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/"


def passkey_of_dana(cast: Cast) -> str:
    data = {"name": "Key", "credential": {}}
    key = Authenticator.objects.create(
        user=cast["dana"], type=Authenticator.Type.WEBAUTHN, data=data
    )
    return f"/accounts/2fa/webauthn/keys/{key.pk}"


def token_of_dana(cast: Cast) -> str:
    expires = timezone.now() + timedelta(days=1)
    token, _ = issue_token(
        actor=cast["dana"], name="x", scopes=[TokenScope.UPLOAD_RELEASES], expires_at=expires
    )
    return f"/accounts/tokens/{token.pk}/revoke/"


def role_of_bob(cast: Cast) -> str:
    return f"/staff/roles/{cast['bob'].role_grants.get().pk}/end/"


def letter(cast: Cast) -> str:
    outbox.promise(to="x@example.org", subject="x", text="x", key="x")
    return f"/staff/mail/{OutboxMail.objects.get().pk}/retry/"


PAGES = {
    "accounts:overview": Page(SIGNED_IN),
    "accounts:profile": Page(SIGNED_IN),
    "accounts:roles": Page(SIGNED_IN),
    "accounts:close": Page(SIGNED_IN),
    "accounts:tokens": Page(SIGNED_IN),
    "accounts:token_add": Page(SIGNED_IN),
    "accounts:token_revoke": Page({"dana"}, sample=token_of_dana, method="POST"),
    "accounts:grants": Page(STAFF),
    "accounts:grant_add": Page(STAFF),
    "accounts:grant_end": Page(STAFF, sample=role_of_bob, method="POST"),
    "accounts:audit": Page(STAFF),
    "accounts:audit_csv": Page(STAFF),
    "accounts:staff_password": Page(EVERYBODY),  # leads to the account's own page
    "accounts:mails": Page(STAFF),
    "accounts:mail_retry": Page(STAFF, sample=letter, method="POST"),
    "usersessions_list": Page(SIGNED_IN),
    "account_login": Page(EVERYBODY),
    "account_logout": Page(EVERYBODY),
    "account_inactive": Page(EVERYBODY),
    "account_signup": Page(EVERYBODY),
    "account_email_verification_sent": Page(EVERYBODY),
    "account_confirm_email": Page(EVERYBODY, sample=unconfirmed),
    "account_reset_password": Page(EVERYBODY),
    "account_reset_password_done": Page(EVERYBODY),
    "account_reset_password_from_key": Page(
        EVERYBODY, sample=lambda cast: "/accounts/password/reset/key/1-expired/"
    ),
    "account_reset_password_from_key_done": Page(EVERYBODY),
    "account_reauthenticate": Page(SIGNED_IN),
    "account_email": Page(SIGNED_IN),
    "account_change_password": Page(SIGNED_IN),
    "account_set_password": Page(SIGNED_IN),
    "mfa_index": Page(SIGNED_IN),
    "mfa_authenticate": Page(SIGNED_IN),  # no login under way: sent on
    "mfa_reauthenticate": Page(SIGNED_IN),
    "mfa_activate_totp": Page(SIGNED_IN),
    "mfa_deactivate_totp": Page(WITH_ROLE),
    "mfa_view_recovery_codes": Page(NOBODY),
    "mfa_generate_recovery_codes": Page(SIGNED_IN),
    "mfa_download_recovery_codes": Page(NOBODY),
    "mfa_list_webauthn": Page(SIGNED_IN),
    "mfa_add_webauthn": Page(SIGNED_IN),
    "mfa_reauthenticate_webauthn": Page(SIGNED_IN),
    "mfa_remove_webauthn": Page({"dana"}, sample=lambda cast: f"{passkey_of_dana(cast)}/remove/"),
    "mfa_edit_webauthn": Page({"dana"}, sample=lambda cast: f"{passkey_of_dana(cast)}/edit/"),
}

SKIPPED = {
    "account_confirm_login_code": "sign-in by a mailed code is switched off",
    "mfa_login_webauthn": "hands a challenge to the passkey script of the login page",
}
