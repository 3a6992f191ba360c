"""The cast of every test: people with roles, and clients that are signed in as them."""

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope

PASSWORD = "correct horse battery staple"


def make_person(name: str, *roles: tuple[Role, Scope, str], is_staff: bool = False) -> User:
    """A person with a verified address, their roles and a second factor if they hold any."""
    user = User.objects.create_user(
        f"{name.lower()}@example.org", PASSWORD, name=name.title(), is_staff=is_staff
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    for role, kind, slug in roles:
        grant_role(actor=None, user=user, role=role, scope_kind=kind, scope_slug=slug)
    if roles or is_staff:
        TOTP.activate(user, generate_totp_secret())
    return user


@pytest.fixture
def alice(db: None) -> User:
    """Owner contact of the member organisation with the slug `acme`."""
    return make_person("alice", (Role.OWNER, Scope.ORGANISATION, "acme"))


@pytest.fixture
def bob(db: None) -> User:
    """A director on the board (the body with the slug `board`)."""
    return make_person("bob", (Role.DIRECTOR, Scope.BODY, "board"))


@pytest.fixture
def charlie(db: None) -> User:
    """A stranger: an account and nothing else."""
    return make_person("charlie")


@pytest.fixture
def dana(db: None) -> User:
    """Release manager of the product `exampledb`."""
    return make_person("dana", (Role.RELEASE_MANAGER, Scope.PRODUCT, "exampledb"))


@pytest.fixture
def erin(db: None) -> User:
    """The treasurer."""
    return make_person("erin", (Role.TREASURER, Scope.FOUNDATION, ""))


@pytest.fixture
def frank(db: None) -> User:
    """Staff of the foundation."""
    return make_person("frank", (Role.STAFF, Scope.FOUNDATION, ""), is_staff=True)


@pytest.fixture
def client_for() -> Callable[[User], Client]:
    """A client that is signed in as a person, second factor passed."""

    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return signed_in
