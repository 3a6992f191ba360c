"""Consensus in the browser: call it, object, come round, put it to the vote."""

import re

import pytest
from django.test import Client

from governance.actions.consensus import settle_due
from governance.actions.discussion import open_discussion
from governance.models import Body, Consensus, Motion, Position
from governance.tests.conftest import DAY, HOUR, START, make_draft
from governance.tests.council import make_council
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db: None) -> list[User]:
    """Gil, Hua, Ian, Jo; and Ada, who advises."""
    return make_council()


@pytest.fixture
def draft(people: list[User]) -> Motion:
    """By Gil, seconded by Hua."""
    draft = make_draft(Body.objects.get(slug="council"), people[0], "Drop it", START - DAY)
    Motion.objects.filter(pk=draft.pk).update(seconded_by=people[1], seconded_at=START - HOUR)
    return draft


@pytest.fixture
def sought(draft: Motion, people: list[User]) -> Motion:
    """Called by Gil for two days."""
    sent = {"ends_at": f"{START + 2 * DAY:%Y-%m-%dT%H:%M}", "resolution_days": 3, "vote_days": 7}
    sign_in(people[0]).post(f"{draft.get_absolute_url()}consensus/", sent)
    return draft


def said(client: Client, motion: Motion, **sent: str) -> str:
    answer = client.post(f"{motion.get_absolute_url()}position/", sent, follow=True)
    return answer.content.decode()


def test_a_member_calls_for_consensus(draft: Motion, people: list[User]) -> None:
    gil = sign_in(people[0])
    path = f"{draft.get_absolute_url()}consensus/"
    assert path in gil.get(draft.get_absolute_url()).content.decode()
    assert "Silence is no consent" in gil.get(path).content.decode()
    sent = {"ends_at": "2020-01-01T00:00", "resolution_days": 3, "vote_days": 7}
    assert "It must end after" in gil.post(path, sent).content.decode()
    assert "Ensure this value" in gil.post(path, sent | {"vote_days": 0}).content.decode()
    assert not Consensus.objects.exists()
    sent["ends_at"] = f"{START + 2 * DAY:%Y-%m-%dT%H:%M}"
    done = gil.post(path, sent, follow=True).content.decode()
    assert "gets a letter" in done
    assert "<b>0</b> of 4 have spoken, 3 must." in done
    again = gil.get(path, follow=True).content.decode()
    assert "The body seeks consensus on it until" in again


def test_objecting_needs_a_reason_and_can_be_taken_back(
    client: Client, sought: Motion, people: list[User]
) -> None:
    ian = sign_in(people[2])
    refused = said(ian, sought, stance="object", reason="")
    assert "Say why, so that the others can answer." in refused
    assert not Position.objects.exists()
    objecting = said(ian, sought, stance="object", reason="It breaks old clients.")
    assert "The body reads what you said: Object. Everybody does when" in objecting
    assert client.get(sought.get_absolute_url()).status_code == 404  # it is a draft
    assert "1 of them objects." in objecting
    assert "It breaks old clients." in objecting
    resolved = said(ian, sought, stance="accept", reason="With the release in spring.")
    assert "Nobody objects." in resolved
    open_discussion(actor=people[0], motion=sought)
    assert "Everybody reads what you said: Accept." in said(
        ian, sought, stance="accept", reason="With the release in spring, I said."
    )
    assert Position.objects.filter(participant__user=people[2]).count() == 3


def test_the_last_word_is_in_the_form(sought: Motion, people: list[User]) -> None:
    hua = sign_in(people[1])
    page = said(hua, sought, stance="stand_aside", reason="Not my field.")
    assert re.search(r'<input[^>]*value="stand_aside"[^>]*checked', page)
    assert ">Not my field.</textarea>" in page.replace("\n", "")


def test_everybody_agrees_and_it_is_carried(
    sought: Motion, people: list[User], client: Client
) -> None:
    assert client.get(sought.get_absolute_url()).status_code == 404, "a draft is the body's own"
    for person in people[:4]:
        page = said(sign_in(person), sought, stance="support")
    assert "Reached on" in page
    sought.refresh_from_db()
    assert "carried by consensus" in client.get("/governance/").content.decode()
    public = client.get(sought.get_absolute_url()).content.decode()
    assert "Reached on" in public
    late = sign_in(people[0]).post(f"/governance/motions/{sought.slug}/position/", {})
    assert late.status_code == 404


def test_an_adviser_is_heard_and_not_counted(sought: Motion, people: list[User]) -> None:
    page = said(sign_in(people[4]), sought, stance="object", reason="I would not.")
    assert "<b>0</b> of 4 have spoken" in page
    assert "not counted" in page


def test_what_is_not_resolved_is_voted_on(
    sought: Motion, people: list[User], client: Client
) -> None:
    said(sign_in(people[0]), sought, stance="object", reason="No.")
    settle_due(at=START + 3 * DAY)
    page = sign_in(people[1]).get(sought.get_absolute_url()).content.decode()
    assert "If that is resolved until" in page
    settle_due(at=START + 6 * DAY)
    public = client.get(sought.get_absolute_url()).content.decode()
    assert "put to the vote on" in public


def test_another_text_ends_the_round(sought: Motion, people: list[User]) -> None:
    Motion.objects.filter(pk=sought.pk).update(text="Another text.")
    settle_due(at=START + HOUR)
    page = sign_in(people[0]).get(sought.get_absolute_url()).content.decode()
    assert "Ended: The text was changed." in page


def test_who_does_not_sit_there_is_told_so(
    sought: Motion, frank: User, people: list[User], client: Client
) -> None:
    window = sign_in(frank)
    assert (
        "Only those who sat in the body on"
        in window.get(sought.get_absolute_url()).content.decode()
    )
    assert "Only those who sat" in said(window, sought, stance="support")
    address = f"{sought.get_absolute_url()}position/"
    assert client.get(address)["Location"] == sought.get_absolute_url()


def test_a_board_is_told_that_it_votes(board: Body, directors: list[User], motion: Motion) -> None:
    draft = make_draft(board, directors[0], "Another")
    page = sign_in(directors[0]).get(f"{draft.get_absolute_url()}consensus/", follow=True)
    assert "this body votes" in page.content.decode()
