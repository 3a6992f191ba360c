"""How allauth fits the portal."""

import base64
import logging
import uuid
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import get_next_redirect_url
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from allauth.mfa.utils import is_mfa_enabled
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from qrcode.main import QRCode

from portal.accounts.access import authenticated_recently, has_role_now, has_second_factor
from portal.accounts.models import User
from portal.lib import languages, outbox
from portal.lib.addresses import client_address, counted_address

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """Letters of the accounts app; the redirect target stays on this site (allauth checks it)."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Every letter leaves through the outbox, as all others of the portal do; in the language
        of the account, else of the page on which it was asked for.
        """
        spoken = languages.of_addresses([email]).get(email.lower()) or get_language() or ""
        with languages.of_reader(spoken):
            self._promise(template_prefix, email, context)

    def _promise(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        known = {"foundation_name": settings.FOUNDATION_NAME, "base_url": settings.BASE_URL}
        message = self.render_mail(template_prefix, email, {**known, "email": email, **context})
        told = str(message.body).partition("\n-- ")[0]
        html = {**known, "subject": message.subject, "text": told}
        outbox.promise(
            to=email,
            subject=message.subject,
            text=str(message.body),
            html=render_to_string("mail/from_text.html", html),
            key=f"account:{uuid.uuid4()}",
        )

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Leads on to where the person wanted to go, in whichever browser the letter is read."""
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        wanted = get_next_redirect_url(request)
        return f"{url}?{urlencode({'next': wanted})}" if wanted else url

    def get_client_ip(self, request: HttpRequest) -> str:
        """What every limit counts by: of logins, proposals, uploads, comparisons."""
        seen = client_address(request.META, trusted_proxies=settings.TRUSTED_PROXIES)
        return counted_address(seen)

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
    """Second factors: TOTP, passkeys, recovery codes. Their secrets are encrypted at rest."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; one that nothing matches, if the keys in the settings do not open it."""
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            logger.exception("a second factor was encrypted with a SECRET_KEY that is unknown now")
            return str(generate_totp_secret())

    def build_totp_svg(self, url: str) -> str:
        """The code as an inline picture: dark on its own light ground, in both themes."""
        code = QRCode(border=4)
        code.add_data(url)
        rows = code.get_matrix()
        dark = "".join(
            f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, on in enumerate(row) if on
        )
        return (
            f'<svg viewBox="0 0 {len(rows)} {len(rows)}" width="232" height="232" role="img"'
            f' aria-label="{_("QR code for an authenticator app")}" shape-rendering="crispEdges">'
            f'<rect width="{len(rows)}" height="{len(rows)}" fill="#fff"/>'
            f'<path d="{dark}" fill="#000"/></svg>'
        )

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """The last second factor of somebody with a role stays."""
        kinds = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
        others = Authenticator.objects.filter(user=authenticator.user, type__in=kinds)
        return not has_role_now(authenticator.user) or others.exclude(pk=authenticator.pk).exists()


def _cipher() -> MultiFernet:
    """Keys derived from SECRET_KEY, and from the older ones that still open what they closed."""
    return MultiFernet(
        [
            Fernet(base64.urlsafe_b64encode(_derived(secret)))
            for secret in [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        ]
    )


def _derived(secret: str) -> bytes:
    purpose = "portal.accounts.second_factor"
    return salted_hmac(purpose, "", secret=secret, algorithm="sha256").digest()
