"""The logo of an organisation: what was shown when, put back, taken down, embedded elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from portal.members.actions.logo import change_logo, forget_logo, keep_logo, take_down_logo
from portal.members.actions.organisation import Profile, change_listing, register_organisation
from portal.members.models import Logo, LogoChange, Organisation
from portal.members.pictures import check
from portal.members.tests.people import letters, make_organisation, make_term, make_tier
from tests.cast import sign_in
from tests.shared import shared
from tests.supporters import LOGO

pytestmark = pytest.mark.django_db
PAGE = "/organisation/acme/logo/"
STAYS = "/supporters/logos/acme/"
OTHER = LOGO.replace(b"0h40v20z", b"0h20v20z")


@shared
def acme(alice: User) -> Organisation:
    organisation = make_organisation(owner=alice)
    make_term(organisation, make_tier(), timezone.now())
    return organisation


def send(client: Client, picture: bytes) -> Any:
    return client.post(PAGE, {"logo": SimpleUploadedFile("a.svg", picture)}, follow=True)


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_every_logo_stays_with_its_date_and_who(acme: Organisation, alice: User) -> None:
    client = sign_in(alice)
    assert "No logo: the name stands in its place" in text(client.get(PAGE))
    send(client, LOGO)
    send(client, LOGO)
    page = text(send(client, OTHER))
    assert [change.changed_by for change in acme.logo_changes.all()] == [alice, alice]
    assert "Shown in public" in page
    assert page.count("Show again") == 1, "the one before, not the one of now"


def test_an_older_one_is_put_back(acme: Organisation, alice: User, bob: User) -> None:
    client = sign_in(alice)
    send(client, LOGO)
    send(client, OTHER)
    first = keep_logo(picture=check(LOGO))
    assert client.get(first.get_absolute_url())["Cache-Control"] == "private, no-store"
    assert sign_in(bob).get(first.get_absolute_url()).status_code == 404, "not public any more"
    client.post(f"{PAGE}{first.pk}/")
    acme.refresh_from_db()
    assert acme.logo == first
    assert acme.logo_changes.count() == 3
    foreign = keep_logo(picture=check(LOGO.replace(b"40 20", b"60 20")))
    assert client.post(f"{PAGE}{foreign.pk}/").status_code == 404, "it never showed that one"
    assert not forget_logo(logo=first), "the history keeps it"


def test_other_sites_embed_one_address_that_changes_at_once(
    acme: Organisation, alice: User, client: Client
) -> None:
    assert client.get(STAYS).status_code == 404
    change_logo(actor=alice, organisation=acme, logo=keep_logo(picture=check(LOGO)))
    first = client.get(STAYS)
    assert first.content == check(LOGO).content
    assert first["Content-Type"] == "image/svg+xml"
    assert first["Cache-Control"] == "public, no-cache"
    assert first["Access-Control-Allow-Origin"] == "*"
    assert first["Cross-Origin-Resource-Policy"] == "cross-origin"
    known = {"If-None-Match": first["ETag"]}
    assert client.get(STAYS, headers=known).status_code == 304
    change_logo(actor=alice, organisation=acme, logo=keep_logo(picture=check(OTHER)))
    assert client.get(STAYS, headers=known).content == check(OTHER).content
    change_listing(actor=alice, organisation=acme, is_listed=False)
    gone = client.get(STAYS, headers=known)
    assert (gone.status_code, gone["Cache-Control"]) == (404, "no-cache")


def test_the_page_says_plainly_why_it_is_not_shown(acme: Organisation, alice: User) -> None:
    client = sign_in(alice)
    send(client, LOGO)
    change_listing(actor=alice, organisation=acme, is_listed=False)
    assert "You chose not to be named in public" in text(client.get(PAGE))
    change_listing(actor=alice, organisation=acme, is_listed=True)
    acme.terms.update(ended_at=timezone.now(), end_reason="refunded")
    assert "shown when your support is paid and runs" in text(client.get(PAGE))


def test_staff_take_one_down_with_a_reason(
    acme: Organisation, alice: User, frank: User, client: Client
) -> None:
    owner = sign_in(alice)
    send(owner, LOGO)
    take_down_logo(actor=frank, organisation=acme, reason=" It is not yours. ")
    take_down_logo(actor=frank, organisation=acme, reason="Twice.")
    assert client.get(STAYS).status_code == 404
    page = text(owner.get(PAGE))
    assert "Staff took the logo down" in page
    assert "It is not yours." in page
    assert letters(alice.email) == ["The logo of Acme is not shown any more"]
    assert AuditEntry.objects.get(verb="organisation.logo_down").actor == frank
    send(owner, OTHER)
    assert client.get(STAYS).status_code == 200


def test_the_logo_of_the_sign_up_begins_the_history(alice: User) -> None:
    logo = keep_logo(picture=check(LOGO))
    profile = Profile(name="Bolt", legal_name="Bolt", country="DE", logo=logo)
    bolt = register_organisation(actor=alice, profile=profile)
    assert bolt.logo_changes.get().logo == logo


def test_a_post_without_a_file_keeps_the_logo(acme: Organisation, alice: User) -> None:
    assert "No file was chosen" in text(sign_in(alice).post(PAGE, follow=True))
    assert not Logo.objects.exists()


def test_nothing_is_taken_down_without_a_reason(acme: Organisation) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        LogoChange.objects.create(organisation=acme)


def test_what_was_taken_out_of_a_drawing_is_told_to_who_sent_it(
    acme: Organisation, alice: User
) -> None:
    client = sign_in(alice)
    assert "taken out of your file" not in text(send(client, LOGO))
    page = text(send(client, OTHER.replace(b"<path", b"<script>1</script><image/><path")))
    assert "taken out of your file: scripts, pictures inside the drawing." in page
    assert "The new logo is shown" in page
