"""allauth's forms in our words: a label says what a field is, so it needs no placeholder."""

from typing import Any

from allauth.account import forms as account
from allauth.mfa.base import forms as factor
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as passkey
from django.utils.translation import gettext_lazy as _

LABELS = {
    "login": _("E-mail address"),
    "email": _("E-mail address"),
    "remember": _("Stay signed in on this browser"),
    "oldpassword": _("Password until now"),
    "password2": _("The same password again"),
    "code": _("Code"),
    "passwordless": _("Sign in with it alone, without a password"),
}


class Plain:
    """Labels of ours, no placeholders, digits on a phone's keyboard for codes."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)


class LoginForm(Plain, account.LoginForm):
    pass


class SignupForm(Plain, account.SignupForm):
    pass


class ChangeEmailForm(Plain, account.ChangeEmailForm):
    pass


class ChangePasswordForm(Plain, account.ChangePasswordForm):
    pass


class ResetPasswordForm(Plain, account.ResetPasswordForm):
    pass


class ResetPasswordKeyForm(Plain, account.ResetPasswordKeyForm):
    pass


class ReauthenticateForm(Plain, account.ReauthenticateForm):
    pass


class AuthenticateForm(Plain, factor.AuthenticateForm):
    pass


class ReauthenticateByFactorForm(Plain, factor.ReauthenticateForm):
    pass


class ActivateTOTPForm(Plain, totp.ActivateTOTPForm):
    pass


class AddPasskeyForm(Plain, passkey.AddWebAuthnForm):
    pass
