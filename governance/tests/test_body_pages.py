"""The overview, the board and the other bodies, on any day."""

import re
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.formats import date_format

from governance.actions.seat import end_term, seat_person
from governance.models import Body, Seat, SeatTerm
from governance.tests.conftest import (
    DAY,
    FOUNDED,
    SEATED,
    START,
    make_decided,
    make_rules,
    make_seat,
    make_vote,
)
from portal.accounts.models import User
from portal.members.actions.contributor import accept_standing
from portal.members.tests.people import make_contributor
from tests.cast import make_person

pytestmark = pytest.mark.django_db
TODAY = START.date()


def text_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_an_empty_foundation_says_what_will_be_here(client: Client, frank: User) -> None:
    from tests.cast import sign_in

    assert "No body yet" in text_of(client, "/governance/")
    assert "No resolution yet" in text_of(client, "/governance/")
    assert "No board yet" in text_of(client, "/governance/board/")
    assert "Found the first" in text_of(sign_in(frank), "/governance/")


def test_the_quorum_of_a_class_is_a_part_of_those_who_may_vote(
    client: Client, directors: list[User], frank: User
) -> None:
    voters = Body.objects.create(
        slug="voters", name="V", kind="membership", constituency="contributors", since=FOUNDED
    )
    make_rules(voters, quorum="third", quorum_base="eligible", quorum_by="ballots")
    for person in directors[1:]:
        one = make_contributor(directors[0], frank, START - 100 * DAY, email=person.email)
        accept_standing(user=person, contributor=one, is_listed=False, at=START - 100 * DAY)
    facts = text_of(client, "/governance/bodies/voters/").partition("Quorum</dt>")[2]
    assert facts.lstrip().startswith("<dd>2 of 4")


def test_a_body_without_seats_says_so(client: Client) -> None:
    Body.objects.create(slug="fair", name="Fair", kind="committee", purpose="Plans.", since=FOUNDED)
    assert "No seats on this day" in text_of(client, "/governance/bodies/fair/")
    row = text_of(client, "/governance/").partition("Fair</a>")[2].partition("</tr>")[0]
    assert re.findall(r'data-label="(?:Voting seats|Filled)">([^<]*)<', row) == ["—", "—"]


def test_the_board_shows_both_halves_its_officers_and_what_is_vacant(
    client: Client, board: Body, directors: list[User]
) -> None:
    text = text_of(client, "/governance/board/")
    for words in (
        "Elected by contributors",
        "4 seats, all filled.",
        "Elected by corporate members",
        "3 seats, 2 of them vacant.",
        "<strong>Vacant</strong><span>since it was made</span>",
        '>Ada</a></strong><span>Independent</span><span class="badge good">Chair</span>',
        '<th scope="row">Adviser</th><td class="soft" data-label="Person">vacant</td>',
        "4 of 7",
        "Nothing has been carried yet.",
        "Ordinary decisions",
    ):
        assert words in text, words


def test_the_board_of_any_day(client: Client, board: Body, directors: list[User]) -> None:
    end_term(actor=None, term=SeatTerm.objects.get(seat__number=2), on=TODAY)
    assert ">Bea</a></strong>" not in text_of(client, "/governance/board/")
    before = TODAY - timedelta(days=1)
    text = text_of(client, f"/governance/board/?on={before}")
    assert ">Bea</a></strong>" in text
    assert "as it was on" in text
    day = date_format(TODAY, "j M Y")
    assert f"<strong>Vacant</strong><span>since {day}</span>" in text_of(
        client, "/governance/board/"
    )
    later = SeatTerm.objects.get(seat__number=3)
    end_term(actor=None, term=later, on=TODAY + timedelta(days=9))
    assert "since it was made" in text_of(client, "/governance/board/?on=2020-06-01")
    assert "Nothing has been carried" not in text_of(client, "/governance/board/?on=2020-06-01")
    assert "No seats on this day" in text_of(client, "/governance/board/?on=2001-01-01")


@pytest.mark.parametrize("day", ["yesterday", "2026-02-31", "20261120T"])
def test_a_day_that_is_none_is_named_and_today_shown(client: Client, board: Body, day: str) -> None:
    assert "That is not a date" in text_of(client, f"/governance/board/?on={day}")


def test_the_board_has_one_address(client: Client, board: Body) -> None:
    assert client.get("/governance/bodies/board/")["Location"] == "/governance/board/"
    assert client.get("/governance/bodies/none/").status_code == 404


def test_the_seats_as_json(client: Client, board: Body, directors: list[User]) -> None:
    answer = client.get("/governance/bodies/board.json", {"on": "2025-06-01"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    data = answer.json()
    assert data["on"] == "2025-06-01"
    assert data["seats"][0] == {
        "number": 1,
        "has_vote": True,
        "constituency": "contributors",
        "office": None,
        "holder": "Ada",
        "affiliation": "Independent",
        "cohort": None,
        "since": "2025-01-01",
        "until": None,
        "filled": "appointed",
        "exception": None,
        "vacant_since": None,
    }
    assert data["seats"][5]["vacant_since"] == "2020-01-01"
    assert client.get("/governance/bodies/board.json?on=x").status_code == 400


def test_an_officer_shows_the_resolution_that_appointed_them(
    client: Client, board: Body, directors: list[User], charlie: User
) -> None:
    decided = make_decided(board, directors, "Appoint Charlie", dict.fromkeys(range(4), "yes"))
    seat = make_seat(board, 12, is_voting=False, office=Seat.Office.SECRETARY, title="Scribe")
    seat_person(actor=None, seat=seat, user=charlie, since=SEATED, decided_by=decided)
    text = text_of(client, "/governance/board/")
    assert '<th scope="row">Scribe</th>' in text
    assert f'<a href="{decided.get_absolute_url()}">{decided.resolution}</a>' in text


def test_the_overview_lists_what_is_decided_and_what_was(
    client: Client, board: Body, directors: list[User]
) -> None:
    make_vote(board, directors, "Open one")
    make_decided(board, directors, "Carried one", dict.fromkeys(range(4), "yes"))
    text = text_of(client, "/governance/")
    assert "<b>0</b> of 5 have voted" in text
    assert "Carried one" in text
    assert "Four voted yes; three were needed." in text
    assert "Propose a motion" not in text


def test_a_dissolved_body_leaves_the_overview_and_keeps_its_page(
    client: Client, board: Body
) -> None:
    Body.objects.filter(pk=board.pk).update(until=date(2021, 1, 1))
    assert "/governance/board/" not in text_of(client, "/governance/").split("</header>")[1].split(
        "</main>"
    )[0].replace('<a href="/governance/board/">Board</a>', "", 1)
    assert "Board" in text_of(client, "/governance/board/")


def test_another_day_counts_the_resolutions_until_then(
    client: Client, board: Body, directors: list[User]
) -> None:
    make_decided(board, directors, "Key", dict.fromkeys(range(5), "yes"))

    def counted(query: str = "") -> tuple[str, str]:
        text = text_of(client, f"/governance/board/{query}")
        found = re.search(r"<dt>Resolutions (\d+)</dt>\s*<dd>(\d+)", text)
        assert found
        return found[1], found[2]

    decided = board.motions.get().decided_at
    assert decided
    assert counted(f"?on={decided.date()}") == (str(decided.year), "1")
    before = decided.date() - timedelta(days=1)
    assert counted(f"?on={before}") == (str(before.year), "0")


def test_a_page_of_many_seats_terms_and_rules_asks_no_more_than_one_of_few(
    client: Client, board: Body, directors: list[User]
) -> None:
    seat_person(
        actor=None, seat=board.seats.get(number=6), user=make_person("hal"), since=TODAY - 9 * DAY
    )
    few = asked(client)
    for number in range(31, 36):
        seat = make_seat(board, number)
        term = seat_person(
            actor=None, seat=seat, user=make_person(f"p{number}"), since=TODAY - 9 * DAY
        )
        if number > 33:  # vacant again, with somebody before
            end_term(actor=None, term=term, on=TODAY - DAY, ending=SeatTerm.Ending.RESIGNED)
        make_rules(board, subject=f"subject-{number}")
    assert asked(client) == few


def asked(client: Client) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/governance/board/").status_code == 200
    return len(queries)
