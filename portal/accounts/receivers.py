"""What allauth tells us about logins and second factors: into the audit log and the session.

These are signals of the library, its way to be extended; the portal has none of its own.
"""

import logging
from typing import Any

from allauth.account import signals as account
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase

from portal.accounts.actions.account import choose_language
from portal.accounts.models import User
from portal.lib import audit, languages

logger = logging.getLogger("portal.sign_in")


@receiver(mfa.authenticator_added)
def second_factor_added(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    """Who sets up a factor proves it by that; the session has passed it."""
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        record_authentication(
            request, user, "mfa", id=authenticator.pk, type=authenticator.type, reauthenticated=True
        )
    audit.record(actor=user, verb="second_factor.add", subject=user, kind=authenticator.type)


@receiver(mfa.authenticator_removed)
def second_factor_removed(user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    audit.record(actor=user, verb="second_factor.remove", subject=user, kind=authenticator.type)


@receiver(mfa.authenticator_reset)
def recovery_codes_renewed(user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    audit.record(actor=user, verb="second_factor.renew", subject=user, kind=authenticator.type)


@receiver(user_login_failed)
def password_refused(request: HttpRequest | None = None, **kwargs: Any) -> None:
    """Neither what was typed nor whose account it was: an address may be anybody's."""
    logger.warning("a sign-in was refused at %s", request.path if request else "no page")


@receiver(mfa.authentication_failed)
def second_factor_refused(user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    logger.warning("a second factor (%s) of person %s was refused", authenticator.type, user.pk)


@receiver(mfa.authenticator_used)
def second_factor_proved(user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    logger.info("person %s proved a second factor (%s)", user.pk, authenticator.type)


@receiver(account.user_logged_out)
def logged_out(user: User | None = None, **kwargs: Any) -> None:
    logger.info("person %s signed out", user.pk if user else "unknown")


@receiver(account.user_logged_in)
def logged_in(request: HttpRequest, response: HttpResponseBase, user: User, **kwargs: Any) -> None:
    """Pages come in the language of the account from now on, in this browser too; an account that
    knows none yet takes the one that was chosen here before.
    """
    logger.info("person %s signed in", user.pk)
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if user.language:
        languages.keep(request, response, user.language)
    elif languages.offered(chosen):
        choose_language(user=user, language=chosen)


@receiver(account.user_signed_up)
def signed_up(user: User, **kwargs: Any) -> None:
    audit.record(actor=user, verb="account.open", subject=user)


@receiver([account.password_changed, account.password_reset, account.password_set])
def password_changed(user: User, **kwargs: Any) -> None:
    audit.record(actor=user, verb="account.password", subject=user)


@receiver(account.email_changed)
def email_changed(user: User, from_email_address: Any, to_email_address: Any, **_: Any) -> None:
    before = str(from_email_address.email) if from_email_address else ""
    audit.record(
        actor=user, verb="account.email", subject=user, before=before, after=to_email_address.email
    )
