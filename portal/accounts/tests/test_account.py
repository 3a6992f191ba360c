"""Closing an account, the first administrator, a lost second factor, staff pages."""

import re
from io import StringIO

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import models
from django.db.models.deletion import ProtectedError
from django.test import Client

from portal.accounts.access import has_second_factor
from portal.accounts.actions.account import LastOfStaffError, close_account, reopen_account
from portal.accounts.actions.role import grant_role
from portal.accounts.models import ApiToken, RoleGrant, User
from portal.accounts.roles import Role, Scope, has_role
from portal.accounts.tests.test_token import made
from portal.accounts.tokens import TokenScope, authenticate_token
from portal.lib import audit, outbox
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import PASSWORD, make_person, sign_in

pytestmark = pytest.mark.django_db
OURS = ("portal", "releases", "governance", "feedback", "benchmarks")


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


def run(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def test_no_record_of_ours_goes_when_a_person_goes() -> None:
    """Every foreign key to a person protects the record, or forgets the person."""
    wrong = [
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model.__module__.startswith(OURS)
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey)
        and field.related_model is User
        and field.remote_field.on_delete not in {models.PROTECT, models.SET_NULL}
    ]
    assert wrong == []


def test_a_person_who_did_anything_cannot_be_deleted(frank: User, charlie: User) -> None:
    audit.record(actor=charlie, verb="x", subject=frank)
    with pytest.raises(ProtectedError):
        charlie.delete()


def test_a_closed_account_has_no_way_in(dana: User, frank: User) -> None:
    made(dana)
    client = Client()
    client.force_login(dana)
    close_account(actor=dana, user=dana)
    dana.refresh_from_db()
    assert not dana.is_active
    assert not RoleGrant.objects.filter(user=dana, until=None).exists()
    assert ApiToken.objects.get(user=dana).revoked_at is not None
    assert not has_second_factor(dana)
    assert client.get("/accounts/").status_code == 302
    assert OutboxMail.objects.get(recipient=dana.email).subject == "Your account is closed"
    reopen_account(actor=frank, user=dana)
    reopen_account(actor=frank, user=dana)
    assert User.objects.get(pk=dana.pk).is_active
    assert AuditEntry.objects.filter(verb="account.reopen").count() == 1
    assert not dana.has_usable_password()


def test_a_person_closes_their_account_on_a_page(charlie: User) -> None:
    client = sign_in(charlie)
    assert client.get("/accounts/close/").status_code == 200
    assert client.post("/accounts/close/").status_code == 200  # not sure
    assert client.post("/accounts/close/", {"sure": "on"})["Location"] == "/"
    charlie.refresh_from_db()
    assert not charlie.is_active


def test_the_last_of_the_staff_stays(frank: User) -> None:
    with pytest.raises(LastOfStaffError):
        close_account(actor=frank, user=frank)
    client = sign_in(frank)
    assert client.post("/accounts/close/", {"sure": "on"})["Location"] == "/accounts/close/"
    second = make_person("second", (Role.STAFF, Scope.FOUNDATION, ""))
    close_account(actor=second, user=frank)
    assert not User.objects.get(pk=frank.pk).is_active


def test_the_first_administrator_chooses_a_password_by_a_link(client: Client) -> None:
    said = run("create_administrator", "Root@Example.org", "--name", "Root")
    [path] = re.findall(r"https?://[^/]+(/accounts/password/reset/key/\S+)", said)
    page = client.get(path, follow=True)
    client.post(page.redirect_chain[-1][0], {"password1": PASSWORD, "password2": PASSWORD})
    client.post("/accounts/login/", {"login": "root@example.org", "password": PASSWORD})
    assert client.get("/staff/")["Location"].startswith("/accounts/2fa/?next=")
    assert has_role(User.objects.get(email="root@example.org"), Role.STAFF)
    again = Client().get(path, follow=True)
    assert again.redirect_chain == [] or b"password1" not in again.content


def test_an_account_that_exists_becomes_administrator(charlie: User) -> None:
    charlie.is_active = False
    charlie.save()
    run("create_administrator", charlie.email)
    charlie = User.objects.get(pk=charlie.pk)
    assert charlie.is_active
    assert has_role(charlie, Role.STAFF)
    with pytest.raises(CommandError, match="no e-mail address"):
        run("create_administrator", "nonsense")


def test_a_lost_second_factor_is_reset(dana: User) -> None:
    client = Client()
    client.force_login(dana)
    said = run("reset_second_factor", dana.email.upper(), "--reason", "telephone")
    assert "1 factors" in said
    assert not has_second_factor(dana)
    assert client.get("/accounts/").headers["Location"].startswith("/accounts/login/")
    entry = AuditEntry.objects.get(verb="second_factor.reset")
    assert (entry.actor, entry.detail["reason"]) == (None, "telephone")
    assert OutboxMail.objects.get().subject == "Your second factor was reset"
    with pytest.raises(CommandError, match="Nobody"):
        run("reset_second_factor", "nobody@example.org")


def test_staff_close_reopen_and_reset_in_the_staff_pages(frank: User, dana: User) -> None:
    client = sign_in(frank)

    def act(name: str, *people: User) -> str:
        sent = {"action": name, "_selected_action": [str(person.pk) for person in people]}
        return client.post("/staff/accounts/user/", sent, follow=True).content.decode()

    act("reset_second_factors", dana)
    assert not has_second_factor(dana)
    assert "is the last of the staff" in act("close_accounts", dana, frank)
    assert list(User.objects.filter(is_active=True)) == [frank]
    act("reopen_accounts", dana)
    assert User.objects.get(pk=dana.pk).is_active


def test_staff_rename_a_person_and_the_log_knows(frank: User, dana: User) -> None:
    client = sign_in(frank)
    client.post(f"/staff/accounts/user/{dana.pk}/change/", {"name": "Dana P.", "email": "x@y.zz"})
    dana.refresh_from_db()
    assert (dana.name, dana.email) == ("Dana P.", "dana@example.org")
    assert AuditEntry.objects.filter(verb="account.rename", actor=frank).exists()


def test_nothing_is_added_or_deleted_by_hand(frank: User, dana: User) -> None:
    client = sign_in(frank)
    outbox.promise(to="x@example.org", subject="Secret", text="https://link", key="k")
    entry, mail = AuditEntry.objects.earliest("id"), OutboxMail.objects.get()
    for place in ("accounts/user", "accounts/rolegrant", "accounts/apitoken", "lib/auditentry"):
        assert client.get(f"/staff/{place}/").status_code == 200
        assert client.get(f"/staff/{place}/add/").status_code == 403
    assert client.post(f"/staff/accounts/user/{dana.pk}/delete/").status_code == 403
    assert client.post(f"/staff/lib/auditentry/{entry.pk}/delete/").status_code == 403
    assert client.post(f"/staff/lib/auditentry/{entry.pk}/change/").status_code == 403
    page = client.get(f"/staff/lib/outboxmail/{mail.pk}/change/").content.decode()
    assert "Secret" in page
    assert "https://link" not in page


def test_staff_revoke_a_token(frank: User, dana: User) -> None:
    token, raw = made(dana)
    sent = {"action": "revoke_tokens", "_selected_action": [str(token.pk)]}
    sign_in(frank).post("/staff/accounts/apitoken/", sent)
    assert authenticate_token(raw, scope=TokenScope.UPLOAD_RELEASES) is None


@pytest.mark.parametrize(
    "place", ["account/emailaddress", "mfa/authenticator", "usersessions/usersession", "auth/group"]
)
def test_the_secrets_of_libraries_have_no_staff_page(place: str, frank: User) -> None:
    assert sign_in(frank).get(f"/staff/{place}/").status_code == 404


def test_passwords_are_changed_at_one_door(frank: User) -> None:
    answer = sign_in(frank).get("/staff/password_change/")
    assert answer["Location"] == "/accounts/password/change/"


def test_staff_is_a_role_and_ends_with_it(frank: User) -> None:
    grant_role(actor=None, user=make_person("gina"), role=Role.STAFF)
    assert User.objects.get(pk=frank.pk).is_staff
    RoleGrant.objects.filter(user=frank).delete()
    person = User.objects.get(pk=frank.pk)
    assert not person.is_staff
    assert not person.has_perm("accounts.view_user")
    assert not person.has_module_perms("accounts")
