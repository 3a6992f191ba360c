"""Members who are entitled to it hear of a fault before everyone, and nobody else does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib.models import AuditEntry, OutboxMail
from portal.members.models import Organisation, Term
from releases.actions.advisory import publish_advisory, withdraw_advisory
from releases.actions.early_notice import send_early_notice
from releases.errors import RefusedError
from releases.models import Advisory, EarlyNotice
from releases.tests import advisories
from tests.shared import shared

WEEK = dt.timedelta(days=7)
ClientFor = Callable[[User], Client]


@shared(keeps="release_files")
def embargoed(dana: User, release_files: Path) -> Advisory:
    now = timezone.now()
    advisory = advisories.draft(actor=dana, at=now)
    return publish_advisory(actor=dana, advisory=advisory, at=now, public_from=now + WEEK)


def test_owners_and_technical_contacts_get_one_letter_without_the_secret(
    embargoed: Advisory, dana: User, alice: User, bob: User, charlie: User
) -> None:
    advisories.entitle()
    advisories.entitle("Globex", early_notices=False)
    for person, role, slug in [
        (alice, Role.TECHNICAL, "acme"),
        (bob, Role.BILLING, "acme"),
        (charlie, Role.OWNER, "globex"),
    ]:
        grant_role(
            actor=None, user=person, role=role, scope_kind=Scope.ORGANISATION, scope_slug=slug
        )
    now = timezone.now()
    (notice,) = send_early_notice(actor=dana, advisory=embargoed, at=now)
    assert (notice.user, notice.organisation.slug, notice.sent_by) == (alice, "acme", dana)
    assert send_early_notice(actor=dana, advisory=embargoed, at=now) == []
    letter = OutboxMail.objects.get(key=f"early_notice:{notice.pk}")
    assert letter.recipient == alice.email
    for text in (letter.text, letter.html):
        assert f"/advisories/early/{embargoed.identifier}/" in text
        assert "CVE-2026-12345" not in text
        assert "collation" not in text
    told = AuditEntry.objects.filter(verb="advisory.notice").latest("pk")
    assert told.detail == {"told": 0, "organisations": []}


def test_the_mailbox_of_the_team_hears_of_it_once(
    embargoed: Advisory, dana: User, alice: User
) -> None:
    advisories.entitle()
    Organisation.objects.filter(slug="acme").update(notices_email="security@acme.example")
    now = timezone.now()
    for _ in range(2):
        send_early_notice(actor=dana, advisory=embargoed, at=now)
    letter = OutboxMail.objects.get(recipient="security@acme.example")
    assert f"/advisories/early/{embargoed.identifier}/" in letter.text
    assert letter.about == "organisation:acme"


def test_the_page_is_for_those_who_were_told_while_their_membership_lasts(
    embargoed: Advisory, dana: User, alice: User, charlie: User, client_for: ClientFor
) -> None:
    advisories.entitle()
    path = f"/advisories/early/{embargoed.identifier}/"
    reader, stranger = client_for(alice), client_for(charlie)
    assert reader.get(path).status_code == 404  # entitled, and not told yet
    assert "No early notice" in reader.get("/advisories/early/").content.decode()
    send_early_notice(actor=dana, advisory=embargoed, at=timezone.now())
    page = reader.get(path)
    assert (page.status_code, page["Cache-Control"]) == (200, "private, no-store")
    assert "Under embargo" in page.content.decode()
    assert embargoed.summary in reader.get("/advisories/early/").content.decode()
    assert stranger.get(path).status_code == 404
    assert Client().get(path).status_code == 302
    assert stranger.get(embargoed.get_absolute_url()).status_code == 404
    Term.objects.update(ended_at=timezone.now())
    assert reader.get(path).status_code == 404


def test_a_lifted_embargo_takes_the_page_back(
    embargoed: Advisory, dana: User, alice: User, client_for: ClientFor
) -> None:
    advisories.entitle()
    now = timezone.now()
    send_early_notice(actor=dana, advisory=embargoed, at=now)
    withdraw_advisory(actor=dana, advisory=embargoed, reason="Not ready.", at=now)
    answer = client_for(alice).get(f"/advisories/early/{embargoed.identifier}/")
    assert answer.status_code == 404


@pytest.mark.django_db
def test_a_draft_has_no_date_to_name(dana: User) -> None:
    advisory = advisories.draft(actor=dana, at=timezone.now())
    with pytest.raises(RefusedError, match="Set the end of the embargo"):
        send_early_notice(actor=dana, advisory=advisory, at=timezone.now())
    assert not EarlyNotice.objects.exists()
