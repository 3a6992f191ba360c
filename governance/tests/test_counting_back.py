"""A seat that became free, filled from the papers of its election, on a page for everybody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from governance import clock
from governance.actions.election_result import declare_election
from governance.actions.seat import end_term, seat_person
from governance.bodies.duties import duties
from governance.bodies.vacancies import Filling, vacancies
from governance.elections import counting_back, what_if
from governance.models import Body, Election, Seat, SeatTerm
from governance.tally.rules import FilledBy, Vacancy
from governance.tests import elections as made
from governance.tests.conftest import DAY, make_seat
from governance.tests.counted import count_openly
from governance.views import election_countback
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
PAGE = f"{HERE}result/contributors/countback/"
LATER = made.COMPLAINTS_END + 60 * DAY
TODAY = LATER.date()


@shared
def officer() -> User:
    return made.make_officer()


@shared
def counted(board: Body, officer: User) -> Election:
    """Ana and Ben are elected to two seats; Cai and Dan come after them."""
    election = made.make_election(board, officer)
    people = [made.make_contributor(name) for name in ("ana", "ben", "cai", "dan")]
    for place, person in enumerate(people):
        made.put_forward(election, "contributors", person, seconded_by=people[place - 1])
    election.contests.filter(constituency="members").delete()
    election.contests.get().seats.set([make_seat(board, number) for number in (21, 22)])
    papers = {"contributors": [b"\x00\x02", b"\x00\x02", b"\x01\x03", b"\x01\x02"]}
    return count_openly(made.draw(election), papers, made.CLOSES + DAY)


@shared
def declared(counted: Election, officer: User) -> Election:
    found = declare_election(actor=officer, election=counted, at=made.COMPLAINTS_END)
    assert {str(term.user) for term in SeatTerm.objects.filter(seat__number__in=(21, 22))} == {
        "Ana",
        "Ben",
    }
    return found


@shared
def freed(declared: Election, officer: User) -> Election:
    """Ana resigned."""
    term = SeatTerm.objects.get(user__name="Ana", seat__number__in=(21, 22))
    end_term(actor=officer, term=term, on=TODAY, ending=SeatTerm.Ending.RESIGNED)
    return declared


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(clock, "now", lambda at=None: at or LATER)


def text(path: str = PAGE, user: User | None = None, status: int = 200) -> str:
    answer = (sign_in(user) if user else Client()).get(path)
    assert answer.status_code == status
    return answer.content.decode()


def test_everybody_reads_who_is_next_and_the_count_that_says_so(freed: Election) -> None:
    page = text()
    assert "Cai is next for seat" in page
    assert "left seat" in page
    assert "Stages of the count" in page
    assert "term_new" not in page
    assert "Give them" not in page


def test_who_keeps_the_seats_is_led_to_the_form(freed: Election, officer: User) -> None:
    free = counting_back.counted_back(freed.contests.get(), declined=(), on=TODAY).free
    assert f"/governance/bodies/board/seats/{free[0].number}/" in text(user=officer)


def test_who_will_not_take_it_is_left_out_and_can_come_back(freed: Election) -> None:
    assert 'href="?declined=2"' in text()
    page = text(f"{PAGE}?declined=2")
    assert "Dan is next for seat" in page
    assert "will not take it" in page
    assert 'href="?"' in page, "counts with Cai again"
    assert "No candidate is left" in text(f"{PAGE}?declined=2&declined=3")
    assert "Dan is next" in text(f"{PAGE}?declined=2&declined=x&declined=99999&declined=0")


def test_who_holds_another_seat_of_the_body_is_passed(freed: Election, board: Body) -> None:
    cai = User.objects.get(name="Cai")
    seat_person(actor=None, seat=make_seat(board, 30), user=cai, since=TODAY - timedelta(days=9))
    page = text()
    assert "Dan is next" in page
    assert "holds seat 30" in page


def test_where_everybody_sits_no_seat_is_free(declared: Election) -> None:
    page = text()
    assert "No seat is free" in page
    assert page.count("holds seat") == 2


def test_before_the_terms_begin_no_seat_is_free(
    declared: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda at=None: at or made.CLOSES)
    assert "No seat is free" in text()


def test_who_came_after_by_the_count_sits_then(freed: Election, officer: User) -> None:
    contest = freed.contests.get()
    found = counting_back.counted_back(contest, declined=(), on=TODAY)
    assert found.asked is not None
    seat_person(
        actor=officer,
        seat=found.free[0],
        user=found.asked.candidacy.user,
        since=TODAY,
        entry=SeatTerm.Entry.COUNTBACK,
    )
    assert "No seat is free" in text()


def test_before_it_is_declared_there_is_nothing(counted: Election) -> None:
    text(status=404)
    assert PAGE not in text(f"{HERE}result/")


def test_the_result_leads_there(declared: Election) -> None:
    assert PAGE in text(f"{HERE}result/")


def test_a_count_that_takes_too_long_is_not_made(
    freed: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(what_if, "MOST_WORK", 3)
    assert "takes too long to wait for" in text()


def test_one_address_asks_so_often_in_a_minute(
    freed: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(election_countback, "COUNTS", 1)
    text()
    assert "That was often" in text(status=429)


def test_the_steps_of_a_vacant_seat_lead_to_the_count(freed: Election, board: Body) -> None:
    places = Seat.objects.filter(number__in=(21, 22), body=board).places(TODAY)
    [vacancy] = vacancies(places, TODAY)
    how = Filling((), "", Vacancy(filled_by=FilledBy.COUNTBACK))
    [duty] = duties(places, [vacancy], how, TODAY)
    assert duty.steps[0].url == PAGE
    assert duty.steps[0].link == "Count them again"


def test_what_was_elected_elsewhere_is_counted_by_those_who_counted(freed: Election) -> None:
    """Of a seat that no contest here filled, and of a term before it."""
    seat = freed.contests.get().seats.first()
    assert seat is not None
    assert counting_back.of_seat(seat, counting_back.begins(freed)) == freed.contests.get()
    assert counting_back.of_seat(seat, counting_back.begins(freed) - timedelta(days=1)) is None
