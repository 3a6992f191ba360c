"""Long rolls: counted by the database, read in pages, found by name."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from governance.actions.closing import close_motion
from governance.actions.consent import open_consent
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, RosterSeat, Vote
from governance.motions import results, rolls
from governance.tally import rollcall
from governance.tests.conftest import DAY, HOUR, START, make_rules
from governance.tests.rolls import ask, enrol, written
from governance.tests.written import in_writing, sign
from governance.views import roll as roll_views
from portal.accounts.models import User
from tests.cast import make_person, sign_in

pytestmark = pytest.mark.django_db
NAMES = ["acme", "bolt", "cog", "dyn", "elm"]


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolls, "SHOWN", 3)
    monkeypatch.setattr(roll_views, "PER_PAGE", 2)


@pytest.fixture
def speakers(board: Body, monkeypatch: pytest.MonkeyPatch) -> list[User]:
    """One of each organisation."""
    make_rules(board, quorum_base="eligible", pass_base="cast")
    people = [make_person(f"{name} speaker") for name in ["sam", "tia", "uli", "vic", "wim"]]
    enrol(monkeypatch, list(zip(NAMES, people, strict=True)))
    return people


@pytest.fixture
def members(board: Body, directors: list[User], speakers: list[User]) -> Motion:
    return ask(board, directors)


def cast(motion: Motion, person: User, choice: str, at: object = START + HOUR) -> None:
    cast_vote(actor=person, motion=motion, choice=Vote.Choice(choice), at=at)  # type: ignore[arg-type]


def path(motion: Motion, query: str = "") -> str:
    return f"{motion.get_absolute_url()}roll/{query}"


def test_the_database_counts_as_the_tally_does(members: Motion, speakers: list[User]) -> None:
    for person, choice in zip(speakers, ["yes", "no", "abstain", "yes"], strict=False):
        cast(members, person, choice)
    cast(members, speakers[0], "no", START + 2 * HOUR)
    roster = list(members.roster.prefetch_related("votes"))
    places, casts = results.places(roster), results.casts(roster)
    assert rolls.count(members) == rollcall.count(places, casts)
    assert rolls.count(members).no == 2
    assert rolls.classes(members) == rollcall.count_classes(places, casts)
    assert RosterSeat.objects.count() == len(NAMES)


def test_the_page_of_the_motion_counts_and_leads_to_the_roll(
    members: Motion, speakers: list[User], client: Client
) -> None:
    cast(members, speakers[1], "yes")
    page = client.get(members.get_absolute_url()).content.decode()
    assert "<b>1</b> of 5 have voted" in page
    assert f'href="{path(members)}"' in page
    assert "Bolt (Tia Speaker)" not in page
    assert "1 votes were given or changed until then on that day." in page


def test_the_roll_has_pages_and_a_search(
    members: Motion, speakers: list[User], client: Client
) -> None:
    cast(members, speakers[1], "yes")
    page = client.get(path(members)).content.decode()
    assert "Acme (Sam Speaker)" in page
    assert "Cog" not in page
    assert "Cog (Uli Speaker)" in client.get(path(members, "?page=2")).content.decode()
    found = client.get(path(members, "?q=elm")).content.decode()
    assert "Elm (Wim Speaker)" in found
    assert "not yet" in found
    taken = client.get(path(members, "?state=taken")).content.decode()
    assert "Bolt (Tia Speaker)" in taken
    assert "One name." in taken
    missing = client.get(path(members, "?state=missing&q=bolt")).content.decode()
    assert "Nobody matches" in missing
    assert client.get(path(members, "?state=bogus&page=x")).status_code == 200


def test_how_each_voted_is_told_when_it_is_over(
    members: Motion, speakers: list[User], client: Client
) -> None:
    cast(members, speakers[0], "no")
    assert ">no<" not in client.get(path(members)).content.decode().lower()
    close_motion(motion_id=members.pk, at=START + 3 * DAY)
    page = client.get(path(members)).content.decode()
    assert "voted no" in page.lower() or ">no<" in page.lower()
    done = client.get(members.get_absolute_url()).content.decode()
    assert "1 of 5 voted: how, by name" in done


def test_lists_ask_no_question_for_each_name(
    members: Motion, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(40):
        client.get("/governance/motions/")


def test_who_opens_it_sees_the_size_the_quorum_and_the_last_turnout(
    board: Body, directors: list[User], members: Motion, speakers: list[User]
) -> None:
    cast(members, speakers[0], "yes")
    close_motion(motion_id=members.pk, at=START + 3 * DAY)
    draft = written(board, directors, Motion.Electorate.MEMBERS)
    page = sign_in(directors[0]).get(f"{draft.get_absolute_url()}open/").content.decode()
    assert "Who will vote" in page
    assert "1 of 5" in page
    assert "Seat" not in page
    assert path(draft) in page


def test_before_it_opens_the_body_sees_who_would_vote(
    board: Body, directors: list[User], speakers: list[User], client: Client, charlie: User
) -> None:
    draft = written(board, directors, Motion.Electorate.MEMBERS)
    page = sign_in(directors[2]).get(path(draft, "?q=vic")).content.decode()
    assert "Dyn" in page
    assert "Vic Speaker" in page
    assert "Acme" not in page
    assert client.get(path(draft)).status_code == 404
    assert sign_in(charlie).get(path(draft)).status_code == 404


def test_nobody_on_the_roll_is_said_before_anybody_tries(
    board: Body, directors: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    enrol(monkeypatch, [])
    draft = written(board, directors, Motion.Electorate.CONTRIBUTORS)
    ada = sign_in(directors[0])
    assert "Nobody is on the roll" in ada.get(f"{draft.get_absolute_url()}open/").content.decode()
    assert "Nobody is on the roll" in ada.get(path(draft)).content.decode()


def test_a_body_has_no_roll_before_it_votes(draft: Motion, directors: list[User]) -> None:
    assert sign_in(directors[0]).get(path(draft)).status_code == 404


def test_signers_have_a_roll_too(
    board: Body, directors: list[User], speakers: list[User], client: Client
) -> None:
    in_writing(board, "as_if_present")
    draft = written(board, directors, Motion.Electorate.MEMBERS)
    consent = open_consent(
        actor=directors[0], motion=draft, deadline=START + 9 * DAY, at=START - HOUR
    )
    sign(consent, speakers[2], at=START - HOUR / 2)
    page = client.get(draft.get_absolute_url()).content.decode()
    assert "All 5 signers, by name" in page
    assert "1 signatures were given or taken back until then on that day." in page
    signed = client.get(path(draft, "?state=taken")).content.decode()
    assert "Cog (Uli Speaker)" in signed
    assert "One name." in signed
    missing = client.get(path(draft, "?state=missing&q=acme")).content.decode()
    assert "Acme (Sam Speaker)" in missing
