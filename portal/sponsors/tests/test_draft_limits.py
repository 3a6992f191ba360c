"""A draft of a sign-up is no means to mail strangers, nor to fill our disk."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from portal.lib.models import OutboxMail
from portal.members.actions.logo import forget_logo, keep_logo
from portal.members.models import Logo
from portal.members.pictures import check
from portal.sponsors.actions.application import set_logo
from portal.sponsors.models import Application
from portal.sponsors.sweeps import DRAFTS_KEPT, forget_drafts
from portal.sponsors.views import join
from tests.supporters import LOGO, VALUES, make_draft, make_tier

pytestmark = pytest.mark.django_db
FORM = {name: value for name, value in VALUES.items() if value is not False}
OTHER = LOGO.replace(b"40 20", b"40 30")


@pytest.fixture(autouse=True)
def _nobody_came_before() -> None:
    cache.clear()


@pytest.fixture
def draft(client: Client) -> Application:
    assert client.post(f"/join/new/{make_tier().key}/", FORM).status_code == 302
    return Application.objects.get()


def change(client: Client, draft: Application, email: str) -> str:
    """The page after the owner's address was changed; empty when it was taken."""
    path = f"/join/{draft.reference}/organisation/"
    answer = client.post(path, FORM | {"owner_email": email})
    return "" if answer.status_code == 302 else answer.content.decode()


def test_the_letter_of_a_draft_goes_to_three_addresses(client: Client, draft: Application) -> None:
    for email in ("one@example.org", "two@example.org"):
        assert change(client, draft, email) == ""
    refused = change(client, draft, "three@example.org")
    assert "several addresses already" in refused
    assert "three@example.org" in refused, "what was typed is not lost"
    draft.refresh_from_db()
    assert draft.owner_email == "two@example.org"
    assert change(client, draft, "One@example.org") == "", "one of the three"
    assert OutboxMail.objects.count() == 3


def test_one_visitor_changes_addresses_seldom(
    client: Client, draft: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join, "ADDRESSES_AN_HOUR", 1)
    assert change(client, draft, "one@example.org") == ""
    assert "changed too often" in change(client, draft, "two@example.org")
    assert change(client, draft, "ONE@example.org") == "", "the same address is no change"
    assert OutboxMail.objects.count() == 2


def send(client: Client, draft: Application, picture: bytes) -> str:
    file = SimpleUploadedFile("a.svg", picture)
    return client.post(
        f"/join/{draft.reference}/logo/", {"logo": file}, follow=True
    ).content.decode()


def test_a_replaced_logo_is_deleted(client: Client, draft: Application) -> None:
    send(client, draft, LOGO)
    send(client, draft, LOGO)
    send(client, draft, OTHER)
    draft.refresh_from_db()
    assert list(Logo.objects.all()) == [draft.logo]


def test_a_replaced_logo_that_others_show_stays(client: Client, draft: Application) -> None:
    send(client, draft, LOGO)
    draft.refresh_from_db()
    assert draft.logo is not None
    neighbour = make_draft(draft.tier)
    set_logo(application=neighbour, logo=draft.logo)
    send(client, draft, OTHER)
    assert Logo.objects.count() == 2
    assert not forget_logo(logo=draft.logo)


def test_logos_are_throttled(
    client: Client, draft: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join, "LOGOS_AN_HOUR", 1)
    send(client, draft, LOGO)
    assert "Too many logos" in send(client, draft, OTHER)
    assert Logo.objects.count() == 1


def test_a_forgotten_draft_takes_its_logo_along(draft: Application) -> None:
    set_logo(application=draft, logo=keep_logo(picture=check(LOGO)))
    long_ago = timezone.now() + DRAFTS_KEPT + timedelta(days=1)
    assert forget_drafts(at=long_ago) == 1
    assert not Logo.objects.exists()
