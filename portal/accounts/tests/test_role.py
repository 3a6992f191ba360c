from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.utils import timezone

from governance.models import Body
from portal.accounts import scopes
from portal.accounts.actions.role import end_grant, grant_role, revoke_role
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import SCOPE_OF, Role, Scope, has_role
from portal.lib.models import AuditEntry
from releases.models import Product
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def verbs() -> list[str]:
    return list(AuditEntry.objects.order_by("id").values_list("verb", flat=True))


def test_a_role_is_held_from_its_beginning_to_its_end(charlie: User) -> None:
    now = timezone.now()
    grant_role(actor=None, user=charlie, role=Role.TREASURER, since=now, until=now + DAY)
    held = [has_role(charlie, Role.TREASURER, at=now + n * DAY) for n in (-1, 0, 0.5, 1, 2)]
    assert held == [False, True, True, False, False]


def test_a_role_is_held_for_its_scope_only(dana: User, charlie: User) -> None:
    def manages(user: User, slug: str) -> bool:
        return has_role(user, Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT, scope_slug=slug)

    assert manages(dana, "exampledb")
    assert not manages(dana, "otherdb")
    assert not has_role(dana, Role.RELEASE_MANAGER)
    grant_role(actor=None, user=charlie, role=Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT)
    assert manages(charlie, "exampledb")
    assert manages(charlie, "otherdb")


def test_nobody_and_closed_accounts_hold_nothing(frank: User) -> None:
    assert not has_role(AnonymousUser(), Role.STAFF)
    frank.is_active = False
    assert not has_role(frank, Role.STAFF)


def test_a_role_that_is_given_twice_is_given_once(charlie: User, frank: User) -> None:
    first = grant_role(actor=frank, user=charlie, role=Role.TREASURER)
    assert grant_role(actor=frank, user=charlie, role=Role.TREASURER) == first
    assert verbs().count("role.grant") == 2  # frank's own, and this one


def test_a_longer_grant_lengthens_the_one_there_is(charlie: User) -> None:
    now = timezone.now()
    short = grant_role(actor=None, user=charlie, role=Role.TREASURER, until=now + DAY)
    grant_role(actor=None, user=charlie, role=Role.TREASURER, until=now + 3 * DAY)
    short.refresh_from_db()
    assert short.until == now + 3 * DAY
    grant_role(actor=None, user=charlie, role=Role.TREASURER, until=now + 2 * DAY)
    short.refresh_from_db()
    assert short.until == now + 3 * DAY
    grant_role(actor=None, user=charlie, role=Role.TREASURER)
    assert RoleGrant.objects.get().until is None
    assert RoleGrant.objects.count() == 1
    assert verbs() == ["role.grant", "role.lengthen", "role.lengthen"]


def test_a_grant_that_was_to_begin_later_begins_now(charlie: User) -> None:
    later = grant_role(actor=None, user=charlie, role=Role.TREASURER, since=timezone.now() + DAY)
    assert not has_role(charlie, Role.TREASURER)
    grant_role(actor=None, user=charlie, role=Role.TREASURER)
    assert has_role(charlie, Role.TREASURER)
    assert RoleGrant.objects.get() == later


def test_a_role_ends_and_may_be_given_again(charlie: User) -> None:
    grant_role(actor=None, user=charlie, role=Role.TREASURER)
    revoke_role(actor=None, user=charlie, role=Role.TREASURER)
    revoke_role(actor=None, user=charlie, role=Role.TREASURER)
    assert not has_role(charlie, Role.TREASURER)
    again = grant_role(actor=None, user=charlie, role=Role.TREASURER)
    assert end_grant(actor=None, grant=again) is True
    assert end_grant(actor=None, grant=again) is False
    assert verbs() == ["role.grant", "role.revoke", "role.grant", "role.revoke"]


def test_a_grant_that_has_not_begun_ends_as_it_begins(charlie: User) -> None:
    later = timezone.now() + DAY
    grant = grant_role(actor=None, user=charlie, role=Role.TREASURER, since=later)
    end_grant(actor=None, grant=grant)
    assert not has_role(charlie, Role.TREASURER, at=later + DAY)


def test_the_database_keeps_one_open_grant_and_the_order_of_time(charlie: User) -> None:
    grant = grant_role(actor=None, user=charlie, role=Role.TREASURER)
    with pytest.raises(IntegrityError, match="ends_after"):
        RoleGrant.objects.filter(pk=grant.pk).update(until=grant.since - DAY)


def test_the_database_refuses_a_second_open_grant(charlie: User) -> None:
    grant_role(actor=None, user=charlie, role=Role.TREASURER)
    with pytest.raises(IntegrityError, match="open_once"):
        RoleGrant.objects.create(user=charlie, role=Role.TREASURER)


def test_every_role_has_a_scope() -> None:
    assert SCOPE_OF.keys() == set(Role)


@pytest.fixture
def _things(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the apps above hand in, without them."""
    products = [("exampledb", "Example Server"), ("connector", "ExampleDB")]
    bodies = [("board", "Board"), ("council", "Engineering council")]
    sources = {Scope.PRODUCT: lambda: products, Scope.BODY: lambda: bodies}
    monkeypatch.setattr(scopes, "_SOURCES", sources)


@pytest.mark.usefixtures("_things")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [("ExampleDB", "exampledb"), (" example server ", "exampledb"), ("Connector", "connector")],
)
def test_a_role_is_given_for_a_thing_by_its_name_in_any_case(
    typed: str, meant: str, frank: User, charlie: User
) -> None:
    sent = {"email": charlie.email, "role": "release_manager", "scope_slug": typed, "reason": "x"}
    page = sign_in(frank).post("/staff/roles/new/", sent, follow=True).content.decode()
    assert RoleGrant.objects.get(user=charlie).scope_slug == meant
    assert "asked for a second factor" in page


@pytest.mark.usefixtures("_things")
def test_who_has_a_second_factor_is_not_said_to_be_asked_for_one(frank: User, dana: User) -> None:
    sent = {"email": dana.email, "role": "treasurer", "reason": "x"}
    page = sign_in(frank).post("/staff/roles/new/", sent, follow=True).content.decode()
    assert "Treasurer now." in page
    assert "asked for a second factor" not in page


def test_the_apps_hand_in_what_roles_are_given_for(frank: User) -> None:
    today = timezone.now().date()
    Product.objects.create(slug="exampledb", name="Example Server")
    Body.objects.create(slug="board", name="The Board", kind="board", since=today)
    found = scopes.find(Scope.PRODUCT, "EXAMPLE server"), scopes.find(Scope.BODY, "the board")
    assert found == ("exampledb", "board")
    assert scopes.known(Scope.ORGANISATION) == []
    assert scopes.known(Scope.FOUNDATION) == []


@pytest.mark.usefixtures("_things")
def test_staff_give_a_role_with_a_reason_and_an_end(frank: User, charlie: User) -> None:
    client = sign_in(frank)
    sent = {
        "email": charlie.email.upper(),
        "role": "release_manager",
        "scope_slug": "exampledb",
        "until": "2126-01-31",
        "reason": "resolution 2026-14",
    }
    assert 'value="" selected' in client.get("/staff/roles/new/").content.decode()
    assert client.post("/staff/roles/new/", sent)["Location"] == "/staff/roles/"
    grant = RoleGrant.objects.get(user=charlie)
    assert (grant.scope_kind, grant.scope_slug) == ("product", "exampledb")
    assert grant.reason == "resolution 2026-14"
    assert grant.until is not None
    assert f"{grant.until:%Y-%m-%d}" == "2126-02-01"
    entry = AuditEntry.objects.get(verb="role.grant", subject_id=str(charlie.pk))
    assert (entry.actor, entry.detail["reason"]) == (frank, "resolution 2026-14")
    page = client.get("/staff/roles/?person=charlie&role=release_manager").content.decode()
    assert "resolution 2026-14" in page
    client.post(f"/staff/roles/{grant.pk}/end/")
    client.post(f"/staff/roles/{grant.pk}/end/")
    assert not has_role(
        charlie, Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT, scope_slug="exampledb"
    )
    assert "resolution 2026-14" not in client.get("/staff/roles/").content.decode()
    assert "resolution 2026-14" in client.get("/staff/roles/?past=on").content.decode()


@pytest.mark.usefixtures("_things")
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"email": "nobody@example.org"}, "Nobody has an account"),
        ({"until": "2020-01-01"}, "This day is over"),
        ({"role": "treasurer"}, "whole foundation"),
        ({"reason": ""}, "is still empty"),
        ({"role": ""}, "is still open"),
        (
            {"scope_slug": "bord"},
            "no “bord”. The role is for a body; there are: board, co",
        ),
        ({"role": "owner"}, "there are: none yet"),
    ],
)
def test_a_wrong_grant_is_explained(
    wrong: dict[str, str], told: str, frank: User, charlie: User
) -> None:
    sent = {"email": charlie.email, "role": "director", "scope_slug": "board", "reason": "x"}
    page = sign_in(frank).post("/staff/roles/new/", sent | wrong)
    assert told in page.content.decode()
    assert not RoleGrant.objects.filter(user=charlie).exists()


def test_a_person_sees_what_they_hold_and_held(dana: User, charlie: User) -> None:
    now = timezone.now()
    grant_role(actor=None, user=dana, role=Role.COUNCIL, since=now - 2 * DAY, until=now - DAY)
    grant_role(actor=None, user=dana, role=Role.TREASURER, since=now + DAY)
    page = sign_in(dana).get("/accounts/roles/").content.decode()
    assert "You hold 1 role" in page
    assert all(word in page for word in ("held", "to come", "over"))
    assert "No role yet" in sign_in(charlie).get("/accounts/roles/").content.decode()


def test_an_empty_list_of_roles_says_so(frank: User) -> None:
    page = sign_in(frank).get("/staff/roles/?person=nobody").content.decode()
    assert "Nobody holds such a role" in page
