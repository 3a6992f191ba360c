"""The cast of every test: people with roles, and clients that are signed in as them."""

import time
from collections.abc import Callable
from functools import cache

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.hashers import make_password
from django.test import Client

from portal.accounts.access import has_second_factor
from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from tests.shared import shared

PASSWORD = "correct horse battery staple"
Grant = tuple[Role, Scope, str]
ROLES: dict[str, tuple[Grant, ...]] = {
    "charlie": (),
    "alice": ((Role.OWNER, Scope.ORGANISATION, "acme"),),
    "bob": ((Role.DIRECTOR, Scope.BODY, "board"),),
    "dana": ((Role.RELEASE_MANAGER, Scope.PRODUCT, "exampledb"),),
    "erin": ((Role.TREASURER, Scope.FOUNDATION, ""),),
    "frank": ((Role.STAFF, Scope.FOUNDATION, ""),),
    "contributor": ((Role.CONTRIBUTOR, Scope.FOUNDATION, ""),),
    "council": ((Role.COUNCIL, Scope.BODY, "council"),),
    "secretary": ((Role.SECRETARY, Scope.BODY, "board"),),
    "editor": ((Role.EDITOR, Scope.FOUNDATION, ""),),
    "maintainer": ((Role.BENCHMARKS, Scope.FOUNDATION, ""),),
    "officer": ((Role.ELECTION_OFFICER, Scope.FOUNDATION, ""),),
    "billing": ((Role.BILLING, Scope.ORGANISATION, "acme"),),
    "technical": ((Role.TECHNICAL, Scope.ORGANISATION, "acme"),),
    "marketing": ((Role.MARKETING, Scope.ORGANISATION, "acme"),),
}


@cache
def hashed_password() -> str:
    """Hashing is slow on purpose: once a run is enough."""
    return make_password(PASSWORD)


def make_person(name: str, *roles: Grant) -> User:
    """A person with a verified address, their roles, and a second factor if they hold any."""
    user = User.objects.create(
        email=f"{name.lower()}@example.org", name=name.title(), password=hashed_password()
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    for role, kind, slug in roles:
        grant_role(actor=None, user=user, role=role, scope_kind=kind, scope_slug=slug)
    if roles:
        TOTP.activate(user, generate_totp_secret())
    return user


def sign_in(user: User, client: Client | None = None) -> Client:
    """A client that is signed in as `user`, by their second factor if they have one."""
    client = client or Client()
    client.force_login(user)
    method = "mfa" if has_second_factor(user) else "password"
    session = client.session
    session["account_authentication_methods"] = [
        {"method": method, "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client


@shared
def alice() -> User:
    """Owner contact of the member organisation with the slug `acme`."""
    return make_person("alice", *ROLES["alice"])


@shared
def bob() -> User:
    """A director on the board (the body with the slug `board`)."""
    return make_person("bob", *ROLES["bob"])


@shared
def charlie() -> User:
    """A stranger: an account and nothing else."""
    return make_person("charlie")


@shared
def dana() -> User:
    """Release manager of the product `exampledb`."""
    return make_person("dana", *ROLES["dana"])


@shared
def erin() -> User:
    """The treasurer."""
    return make_person("erin", *ROLES["erin"])


@shared
def frank() -> User:
    """Staff of the foundation."""
    return make_person("frank", *ROLES["frank"])


@pytest.fixture
def client_for() -> Callable[[User], Client]:
    """A client that is signed in as a person, second factor passed."""
    return sign_in
