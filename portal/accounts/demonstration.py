"""The people of the demonstration foundation, and how a visitor signs in as one of them.

The password and each second factor come from `DEMONSTRATION_PASSWORD`, so that the logins
are the same at every start and nowhere in the code. Other apps add people with `person()`
and give roles for their own things (a seat, an organisation) with their own actions.
"""

import base64
import hmac
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope

PERIOD = 30  # seconds that a code lasts
_remembered: ContextVar[dict[str, User] | None] = ContextVar("remembered", default=None)


@dataclass(frozen=True)
class Login:
    """One line of the list that `make run` prints."""

    name: str
    plays: StrOrPromise

    @property
    def email(self) -> str:
        return address(self.name)


CAST = [
    Login("Alice Arnesen", _("owner contact of a member organisation")),
    Login("Bob Okafor", _("director")),
    Login("Charlie Lindqvist", _("a visitor with an account and no role")),
    Login("Dana Petrova", _("release manager")),
    Login("Erin Vasquez", _("treasurer")),
    Login("Frank Moreau", _("staff")),
    Login("Grace Holm", _("second release manager, who publishes what Dana uploaded")),
    Login("Heidi Brandt", _("editor of the news")),
]
ALICE, BOB, CHARLIE, DANA, ERIN, FRANK, GRACE, HEIDI = (login.name for login in CAST)


FRANK_CAME = timedelta(days=5 * 365)  # so long ago: he kept the meetings of the year


def load(*, actor: User | None, at: datetime) -> None:
    """The cast, with the roles that stand for the whole foundation."""
    for login in CAST:
        person(login.name)
    grant_role(actor=actor, user=person(FRANK), role=Role.STAFF, since=at - FRANK_CAME)
    grant_role(actor=actor, user=person(ERIN), role=Role.TREASURER, since=at)
    grant_role(actor=actor, user=person(HEIDI), role=Role.EDITOR, since=at)
    grant_role(
        actor=actor,
        user=person(DANA),
        role=Role.RELEASE_MANAGER,
        scope_kind=Scope.PRODUCT,
        scope_slug=settings.DEFAULT_PRODUCT,
        since=at,
    )


@contextmanager
def remembered() -> Iterator[None]:
    """Within it a person is asked for once; the acts of a year name the same twenty each time."""
    token = _remembered.set({})
    try:
        yield
    finally:
        _remembered.reset(token)


def person(name: str) -> User:
    """The account of that name, made at the first call: verified address, and a second factor
    for everybody but the visitor, whom nobody must make a holder of something.
    """
    known = _remembered.get()
    if known is None:
        return _person(name)
    if name not in known:
        known[name] = _person(name)
    return known[name]


def _person(name: str) -> User:
    email = address(name)
    totp = Authenticator.objects.filter(user=OuterRef("pk"), type=Authenticator.Type.TOTP)
    known = User.objects.filter(email=email).annotate(has_totp=Exists(totp)).first()
    user = known or _account(email, name)
    if name != CHARLIE and not (known and known.has_totp):
        TOTP.activate(user, totp_secret(email))
    return user


def _account(email: str, name: str) -> User:
    password = _hashed(settings.DEMONSTRATION_PASSWORD)
    user = User.objects.create(email=email, name=name, password=password)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


@cache
def _hashed(password: str) -> str:
    """Slow on purpose, and all have the same: hashed once, not for each of them."""
    return make_password(password)


def address(name: str) -> str:
    """`alice@example.org` for Alice Arnesen; a domain that no letter ever reaches."""
    return f"{name.split()[0].lower()}@example.org"


def totp_secret(email: str, password: str = "") -> str:
    """The secret for an authenticator app, the same at every start with that password."""
    key = password or settings.DEMONSTRATION_PASSWORD
    digest = hmac.digest(key.encode(), email.encode(), "sha1")
    return base64.b32encode(digest).decode()


def totp_code(email: str, password: str = "", *, period: int | None = None) -> str:
    """The code that the sign-in page accepts now, or in that period of 30 seconds."""
    counter = int(time.time()) // PERIOD if period is None else period
    return str(format_hotp_value(hotp_value(totp_secret(email, password), counter)))


def told(logins: Sequence[Login]) -> Iterator[str]:
    """What `make run` and `make logins` print: addresses, secrets, and the codes of this moment."""
    yield f"  Sign in at {settings.BASE_URL}/accounts/login/ as"
    for login in logins:
        yield f"    {login.email:<22} {login.plays}"
        if login.name != CHARLIE:
            secret, code = totp_secret(login.email), totp_code(login.email)
            yield f"    {'':<22} second factor {secret}, code now {code}"
    yield f"  Password of all: {settings.DEMONSTRATION_PASSWORD}"
    if settings.PAYMENT_PROVIDER == "twin":
        yield f"  Payments are simulated; what banks do is played at {settings.TWIN_URL}/"
