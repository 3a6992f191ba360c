"""How allauth fits the portal."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled

from portal.accounts.access import authenticated_recently, has_second_factor
from portal.accounts.models import User


class AccountAdapter(DefaultAccountAdapter):
    """Letters of the accounts app; the redirect target stays on this site (allauth checks it)."""

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """A login is as good as an authentication that was asked for: what counts is when."""
        return not authenticated_recently(context.request)

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Who has a second factor proves it; the password alone is not enough for them."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if not has_second_factor(user):
            return methods
        factors = [method for method in methods if method["id"] != "reauthenticate"]
        has_app = is_mfa_enabled(user, types=[Authenticator.Type.TOTP])
        return factors if has_app else factors[::-1]  # the passkey first, then recovery codes


class MFAAdapter(DefaultMFAAdapter):
    """Second factors: TOTP, passkeys, recovery codes."""
