"""Rules tried with numbers, by an address that can be shared."""

import pytest
from django.test import Client

from governance.models import Body
from governance.tests.conftest import make_rules
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
PAGE = "/governance/rules/board/ordinary/{}/what-if/"


def asked(client: Client, version: int = 1, status: int = 200, **numbers: str | int) -> str:
    answer = client.get(PAGE.format(version), numbers)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def test_the_whole_arithmetic_in_words(client: Client, board: Body) -> None:
    page = asked(client, yes=3, no=1, abstain=1, recused=1, absent=0, vacant=1)
    assert "<h1>Carried</h1>" in page
    assert "Three voted yes; three were needed." in page
    assert "5.4: more than 5 ÷ 2 = 2.5" in page


def test_what_one_voter_more_or_less_would_change(client: Client, board: Body) -> None:
    page = asked(client, yes=3, no=2, absent=2)
    assert "yes → no" in page
    assert "Not carried" in page
    firm = asked(client, yes=7)
    assert "No single voter could have changed this outcome." in firm


def test_without_a_query_the_body_is_shown_with_everybody_for_it(
    client: Client, board: Body, directors: list[User]
) -> None:
    page = asked(client)
    assert 'name="yes" value="5"' in page
    assert 'name="vacant" value="2"' in page


def test_numbers_that_are_none_are_told_and_kept(client: Client, board: Body) -> None:
    page = asked(client, status=422, yes="many", no=3)
    assert "Enter a whole number." in page
    assert 'value="many"' in page
    assert "at most" not in asked(client, yes="", no="")
    assert asked(client, status=422, yes=-1)
    assert asked(client, status=422, yes=10**9)


def test_a_tie_asks_for_the_chair_or_the_lot(client: Client, board: Body) -> None:
    assert 'name="side"' not in asked(client, yes=3, no=3)
    make_rules(board, tie="casting_vote")
    tied = asked(client, 2, yes=3, no=3, side="yes")
    assert "Casting vote of the chair" in tied
    assert "Three voted yes, with the casting vote four; four were needed." in tied
    assert "<h1>Not carried</h1>" in asked(client, 2, yes=3, no=3)
    make_rules(board, tie="lot")
    assert "The lot, drawn for the motion" in asked(client, 3, yes=3, no=3, side="yes")


def test_each_constituency_has_numbers_of_its_own(
    client: Client, board: Body, directors: list[User]
) -> None:
    make_rules(board, per_class=True)
    page = asked(client, 2)
    assert 'name="contributors-yes" value="4"' in page
    assert 'name="members-vacant" value="2"' in page
    numbers: dict[str, str | int] = {"contributors-yes": 4, "members-yes": 1, "members-no": 2}
    refused = asked(client, 2, 200, **numbers)
    assert "<h1>Not carried</h1>" in refused
    assert "Elected by corporate members: 1 voted yes, 2 were needed." in refused


def test_signatures_instead_of_a_vote(client: Client, board: Body) -> None:
    make_rules(board, consent="as_if_present", threshold="two_thirds")
    assert "6 of 8 would have to sign" in asked(client, 2, yes=8)
    make_rules(board, consent="unanimous")
    assert "8 of 8 would have to sign" in asked(client, 3, yes=8)


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("debian/general/what-if/?yes=47&absent=953", "The quorum asks for 48 yes votes."),
        ("apache/code/what-if/?yes=5&no=1", "Not carried"),
        ("delaware/ordinary/what-if/?yes=3&recused=1&absent=3", "who have no interest in it"),
        ("members-and-contributors/bylaws/what-if/", "Elected by contributors"),
        ("members-and-contributors/members-bylaws/what-if/?yes=3&absent=9", "No quorum"),
    ],
)
def test_ready_sets_are_tried_too(client: Client, path: str, answer: str) -> None:
    page = client.get(f"/governance/rules/ready-sets/{path}")
    assert page.status_code == 200
    assert answer in page.content.decode()
