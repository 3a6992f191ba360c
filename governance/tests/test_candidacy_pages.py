"""Nominations in the browser: oneself, others, seconds, answers, leaving."""

from __future__ import annotations

import pytest
from django.test import Client

from governance.models import Body, Candidacy, Election
from governance.tests import elections as made
from portal.accounts.models import User
from tests.cast import make_person, sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
NOMINATE = f"{HERE}nominate/contributors/"


@shared
def officer() -> User:
    return made.make_officer()


@shared
def election(board: Body, officer: User) -> Election:
    return made.make_election(board, officer)


@shared
def ana() -> User:
    return made.make_contributor("ana")


@shared
def ben() -> User:
    return made.make_contributor("ben")


def page_of(candidacy: Candidacy) -> str:
    return f"{HERE}candidates/{candidacy.pk}/"


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_contributor_stands_and_another_seconds(
    client: Client, election: Election, ana: User, ben: User
) -> None:
    own = sign_in(ana)
    assert "Nominate somebody" in text(own, HERE)
    sent = {"who": "me", "affiliation": "Acme", "statement": "I want **to**."}
    assert own.post(NOMINATE, sent).status_code == 302
    candidacy = Candidacy.objects.get()
    page = page_of(candidacy)
    assert "1 second is missing" in text(client, HERE)
    assert "<strong>to</strong>" in text(client, page)
    assert "already" in own.post(NOMINATE, sent).content.decode()
    other = sign_in(ben)
    assert "Second the nomination" in text(other, page)
    other.post(f"{page}second/")
    assert "second is missing" not in text(client, HERE)
    assert (
        "You have seconded it already" in other.post(f"{page}second/", follow=True).content.decode()
    )
    assert "Ben seconded Ana." in text(client, HERE)


def test_one_does_not_stand_without_a_statement(election: Election, ana: User) -> None:
    answer = sign_in(ana).post(NOMINATE, {"who": "me", "affiliation": "", "statement": ""})
    assert answer.status_code == 422
    assert not Candidacy.objects.exists()


def test_who_is_nominated_by_another_accepts_with_a_statement(
    client: Client, election: Election, ana: User, ben: User
) -> None:
    sign_in(ana).post(NOMINATE, {"who": "other", "nominee": "BEN@example.org"})
    candidacy = Candidacy.objects.get()
    page = page_of(candidacy)
    assert "Nominated by Ana, has not answered yet" in text(client, HERE)
    asked = sign_in(ben)
    assert "Answer your nomination" in text(asked, HERE)
    assert "Accept, with a statement" in text(asked, page)
    said = asked.post(f"{page}answer/", {"affiliation": "Beta", "statement": "Yes."}, follow=True)
    assert "You stand as soon as 1 person seconds you." in said.content.decode()
    candidacy.refresh_from_db()
    assert (candidacy.affiliation, candidacy.statement) == ("Beta", "Yes.")
    asked.post(f"{page}answer/", {"affiliation": "", "statement": "Yes, still."})
    assert "Yes, still." in text(client, page)


def test_who_is_nominated_may_decline(client: Client, election: Election, ana: User) -> None:
    charlie = make_person("zoe")
    sign_in(ana).post(NOMINATE, {"who": "other", "nominee": charlie.email})
    page = page_of(Candidacy.objects.get())
    sign_in(charlie).post(f"{page}leave/")
    assert "Zoe declined the nomination." in text(client, HERE)
    assert "declined" in text(client, page)


def test_nobody_is_nominated_without_an_account(election: Election, ana: User) -> None:
    answer = sign_in(ana).post(NOMINATE, {"who": "other", "nominee": "nobody@example.org"})
    assert "Nobody has an account" in answer.content.decode()


def test_a_stranger_is_told_who_nominates(election: Election, charlie: User) -> None:
    stranger = sign_in(charlie)
    assert "Only who may vote among" in text(stranger, NOMINATE)
    assert stranger.post(NOMINATE, {"who": "me", "statement": "Me."}).status_code == 422
    assert not Candidacy.objects.exists()


def test_nobody_answers_for_another(election: Election, ana: User, ben: User) -> None:
    sign_in(ana).post(NOMINATE, {"who": "other", "nominee": ben.email})
    page = page_of(Candidacy.objects.get())
    answer = sign_in(ana).post(f"{page}answer/", {"statement": "He is."}, follow=True)
    assert "Only Ben can answer" in answer.content.decode()


def test_who_runs_it_disqualifies_with_a_public_reason(
    client: Client, election: Election, officer: User, ana: User, ben: User
) -> None:
    stands = made.put_forward(election, "contributors", ana, seconded_by=ben)
    page, desk = page_of(stands), sign_in(officer)
    assert sign_in(ben).post(f"{page}disqualify/", {"reason": "No."}).status_code == 403
    assert "Name the rule" in desk.post(f"{page}disqualify/", follow=True).content.decode()
    desk.post(f"{page}disqualify/", {"reason": "Bylaw 4.1"})
    assert "Ana was disqualified: Bylaw 4.1" in text(client, page)
    assert "Ana was disqualified: Bylaw 4.1" in text(client, HERE)


@pytest.mark.parametrize("act", ["second/", "leave/", "disqualify/"])
def test_who_only_asks_for_the_address_of_an_act_is_led_to_the_election(
    election: Election, officer: User, ana: User, ben: User, act: str
) -> None:
    stands = made.put_forward(election, "contributors", ana, seconded_by=ben)
    answer = sign_in(officer).get(page_of(stands) + act)
    assert (answer.status_code, answer.headers["Location"]) == (302, HERE)


def test_a_person_of_another_election_is_not_found(
    client: Client, board: Body, election: Election, officer: User, ana: User, ben: User
) -> None:
    stands = made.put_forward(election, "contributors", ana, seconded_by=ben)
    made.make_election(board, officer, name="other")
    path = f"/governance/elections/other/candidates/{stands.pk}/"
    assert client.get(path).status_code == 404
    assert client.get(f"{HERE}candidates/{10**20}/").status_code == 404
