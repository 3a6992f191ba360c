"""How allauth fits the portal."""

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter


class AccountAdapter(DefaultAccountAdapter):
    """Letters of the accounts app; the redirect target stays on this site (allauth checks it)."""


class MFAAdapter(DefaultMFAAdapter):
    """Second factors: TOTP, passkeys, recovery codes."""
