"""Written consent in the browser: ask, read and sign, take back, certificate."""

import time

import pytest
from django.test import Client

from governance.models import Body, Consent, Motion
from governance.tests.conftest import DAY, START, make_draft
from governance.tests.written import in_writing, make_consent, sign
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def consent(board: Body, directors: list[User]) -> Consent:
    in_writing(board)
    return make_consent(board, directors)


def path(consent: Consent, page: str = "") -> str:
    return f"/governance/motions/{consent.motion.slug}/{page}"


def test_a_director_asks_for_signatures(board: Body, directors: list[User]) -> None:
    in_writing(board)
    draft = make_draft(board, directors[0], "Sign it")
    Motion.objects.filter(pk=draft.pk).update(seconded_by=directors[1], seconded_at=START)
    client = sign_in(directors[0])
    assert b"Ask for written consent" in client.get(draft.get_absolute_url()).content
    page = client.get(f"{draft.get_absolute_url()}consent/")
    assert b"One who objects does not sign" in page.content
    late = client.post(f"{draft.get_absolute_url()}consent/", {"deadline": "2020-01-01T00:00"})
    assert b"must be after" in late.content
    answer = client.post(
        f"{draft.get_absolute_url()}consent/",
        {"deadline": f"{START + DAY:%Y-%m-%dT%H:%M}"},
        follow=True,
    )
    assert b"0 of 5 have signed" in answer.content.replace(b"<b>", b"").replace(b"</b>", b"")
    again = client.get(f"{draft.get_absolute_url()}consent/", follow=True)
    assert b"a vote is opened once" in again.content


def test_reading_signing_and_taking_it_back(consent: Consent, directors: list[User]) -> None:
    client = sign_in(directors[2])
    assert b"Read and sign" in client.get(path(consent)).content
    page = client.get(path(consent, "sign/")).content
    assert b"I consent in writing" in page
    wrong = client.post(path(consent, "sign/"), {"name": "Somebody"})
    assert b"Type your name as it stands on the list: Cyd" in wrong.content
    signed = client.post(path(consent, "sign/"), {"name": "Cyd"}, follow=True)
    assert b"You signed. The time and the digest are on record." in signed.content
    assert b"Take it back" in signed.content
    twice = client.get(path(consent, "sign/"), follow=True)
    assert b"You have signed already." in twice.content
    back = client.post(path(consent, "revoke/"), follow=True)
    assert b"does not count any more" in back.content
    assert b"Cyd took the signature back." in back.content
    assert b"no signature of yours" in client.post(path(consent, "revoke/"), follow=True).content
    method = consent.signatures.get(act="sign").statement
    assert '"by": "mfa"' in method


def test_who_signs_has_just_proved_who_they_are(consent: Consent, directors: list[User]) -> None:
    client = sign_in(directors[0])
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "mfa", "type": "totp", "at": time.time() - 3600, "reauthenticated": True}
    ]
    session.save()
    answer = client.get(path(consent, "sign/"))
    assert "reauthenticate" in answer["Location"]
    refused = client.post(path(consent, "sign/"), {"name": "Ada"})
    assert "reauthenticate" in refused["Location"]
    assert not consent.signatures.exists()


def test_everybody_reads_who_has_signed(
    consent: Consent, directors: list[User], client: Client, charlie: User
) -> None:
    sign(consent, directors[0])
    page = client.get(path(consent)).content.decode()
    assert "not yet" in page
    assert "Read and sign" not in page
    stranger = sign_in(charlie)
    assert b"the list was frozen then" in stranger.get(path(consent)).content
    assert client.get(path(consent, "certificate.pdf")).status_code == 404
    sign(consent, *directors[1:])
    done = client.get(path(consent), follow=True).content.decode()
    assert "Certificate (PDF)" in done
    resolution = Motion.objects.get(pk=consent.motion_id).resolution
    paper = client.get(f"/governance/motions/{resolution}/certificate.pdf")
    assert paper["Content-Type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF")
    again = client.get(f"/governance/motions/{resolution}/certificate.pdf")
    assert again.content == paper.content, "the same rows always say the same"
    told = client.get(f"/governance/motions/{resolution}.json").json()
    assert told["state"] == "adopted"
