"""Maximum terms, full terms, exceptions with a reason, and what is left when a term ends early."""

from datetime import date

import pytest

from governance.actions.body import abolish_seat, dissolve_body, make_seats, save_body, save_seat
from governance.actions.seat import end_term, seat_person
from governance.bodies.vacancies import vacancies
from governance.models import Body, Motion, Seat, SeatTerm
from governance.refusals import NeedsException, Refusal
from governance.tests.conftest import DAY, FOUNDED, START, make_seat
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import OutboxMail
from tests.shared import shared

pytestmark = pytest.mark.django_db
FIRST, SECOND, THIRD = date(2020, 3, 1), date(2022, 3, 1), date(2024, 3, 1)
FOURTH = date(2026, 3, 1)


@shared
def limited(board: Body) -> Seat:
    """Two terms in a row of two years each."""
    return make_seat(board, 20, term_months=24, maximum_terms=2)


def hold_twice(seat: Seat, person: User) -> None:
    seat_person(actor=None, seat=seat, user=person, since=FIRST, until=SECOND)
    seat_person(actor=None, seat=seat, user=person, since=SECOND, until=THIRD)


def test_a_third_term_in_a_row_is_refused_with_the_numbers(limited: Seat, charlie: User) -> None:
    hold_twice(limited, charlie)
    with pytest.raises(NeedsException, match=r"Charlie has held 2 terms in a row; .* allows 2"):
        seat_person(actor=None, seat=limited, user=charlie, since=THIRD, until=FOURTH)


def test_terms_in_other_voting_seats_of_the_body_count_too(
    board: Body, limited: Seat, charlie: User
) -> None:
    hold_twice(board.seats.get(number=6), charlie)
    with pytest.raises(NeedsException):
        seat_person(actor=None, seat=limited, user=charlie, since=THIRD, until=FOURTH)


def test_an_exception_says_why_and_is_kept(limited: Seat, charlie: User) -> None:
    hold_twice(limited, charlie)
    reason = "Nobody else stood for the seat."
    term = seat_person(
        actor=None, seat=limited, user=charlie, since=THIRD, until=FOURTH, exception=reason
    )
    assert SeatTerm.objects.get(pk=term.pk).exception == reason


def test_an_exception_that_nothing_asks_for_is_not_kept(limited: Seat, charlie: User) -> None:
    term = seat_person(
        actor=None, seat=limited, user=charlie, since=FIRST, until=SECOND, exception="Just so."
    )
    assert term.exception == ""


def test_an_office_counts_its_own_terms(board: Body, charlie: User) -> None:
    hold_twice(board.seats.get(number=6), charlie)
    chair = make_seat(
        board, 21, is_voting=False, office="treasurer", term_months=24, maximum_terms=1
    )
    seat_person(actor=None, seat=chair, user=charlie, since=THIRD, until=FOURTH)
    with pytest.raises(NeedsException):
        seat_person(actor=None, seat=chair, user=charlie, since=FOURTH, until=date(2028, 3, 1))


@pytest.mark.parametrize("until", [None, date(2022, 3, 2)])
def test_a_term_longer_than_a_full_one_is_refused(
    limited: Seat, charlie: User, until: date | None
) -> None:
    with pytest.raises(NeedsException, match="ends on 1 Mar 2022 at the latest"):
        seat_person(actor=None, seat=limited, user=charlie, since=FIRST, until=until)


def test_a_term_lies_within_its_seat_and_its_body(board: Body, charlie: User) -> None:
    seat = make_seat(board, 22, until=SECOND)
    for since, until in [(date(2019, 1, 1), SECOND), (FIRST, None), (FIRST, THIRD)]:
        with pytest.raises(Refusal, match="does not exist in all of that time"):
            seat_person(actor=None, seat=seat, user=charlie, since=since, until=until)
    with pytest.raises(Refusal, match="ends after it begins"):
        seat_person(actor=None, seat=seat, user=charlie, since=FIRST, until=FIRST)
    Body.objects.filter(pk=board.pk).update(until=SECOND)
    with pytest.raises(Refusal, match="dissolved before"):
        seat_person(
            actor=None, seat=board.seats.get(number=6), user=charlie, since=FIRST, until=THIRD
        )


def test_ending_early_keeps_what_was_meant_and_why(limited: Seat, charlie: User) -> None:
    term = seat_person(actor=None, seat=limited, user=charlie, since=FIRST, until=SECOND)
    early = date(2021, 5, 1)
    end_term(actor=None, term=term, on=early, ending=SeatTerm.Ending.RESIGNED)
    kept = SeatTerm.objects.get(pk=term.pk)
    assert (kept.until, kept.meant_until, kept.ending) == (early, SECOND, "resigned")
    [vacancy] = vacancies(Seat.objects.filter(pk=limited.pk).places(date(2021, 6, 1)), early)
    assert (vacancy.since, vacancy.rest_until(early)) == (early, SECOND)
    assert vacancy.rest_until(SECOND) is None


def test_a_term_that_is_over_is_not_lengthened(limited: Seat, charlie: User) -> None:
    term = seat_person(actor=None, seat=limited, user=charlie, since=FIRST, until=SECOND)
    with pytest.raises(Refusal, match="ends on 1 Mar 2022 already"):
        end_term(actor=None, term=term, on=THIRD)


def test_letters_go_to_who_is_seated_by_hand_and_not_to_history(
    limited: Seat, charlie: User
) -> None:
    seat_person(actor=None, seat=limited, user=charlie, since=FIRST, until=SECOND)
    assert not OutboxMail.objects.exists()


def test_a_secretary_gets_the_role_of_one_with_the_seat(board: Body, charlie: User) -> None:
    seat = make_seat(board, 23, is_voting=False, office="secretary")
    assert board not in Body.objects.kept_by(charlie, START)
    term = seat_person(actor=None, seat=seat, user=charlie, since=FIRST)
    held = {"scope_kind": Scope.BODY, "scope_slug": "board"}
    assert has_role(charlie, Role.SECRETARY, **held)  # type: ignore[arg-type]
    assert board in Body.objects.kept_by(charlie, START)
    end_term(actor=None, term=term, on=SECOND)
    assert not has_role(charlie, Role.SECRETARY, **held)  # type: ignore[arg-type]


def test_bodies_are_kept_by_staff_and_by_secretaries_of_all(
    board: Body, frank: User, charlie: User
) -> None:
    assert board in Body.objects.kept_by(frank, START + DAY)
    RoleGrant.objects.create(user=charlie, role=Role.SECRETARY, scope_kind=Scope.BODY, since=START)
    assert board in Body.objects.kept_by(charlie, START)


def test_only_where_people_vote_has_a_seat_a_vote(board: Body) -> None:
    staff = save_body(
        actor=None, body=Body(slug="office", name="Office", kind="staff", since=FOUNDED)
    )
    with pytest.raises(Refusal, match="choose an office"):
        make_seat(staff, 1)
    make_seat(staff, 1, is_voting=False, office="employee", title="Community manager")
    voters = Body(
        slug="class", name="Class", kind="membership", constituency="members", since=FOUNDED
    )
    with pytest.raises(Refusal, match="no seats"):
        make_seat(save_body(actor=None, body=voters), 1, is_voting=False, office="observer")
    assert staff.role is None


def test_several_seats_are_made_at_once_and_numbered_on(board: Body) -> None:
    like = Seat(body=board, since=FOUNDED, cohort="odd years", term_months=24)
    made = make_seats(actor=None, seat=like, count=3)
    assert [seat.number for seat in made] == [10, 11, 12]
    assert board.seats.filter(cohort="odd years", term_months=24).count() == 3


def test_a_seat_that_is_held_is_not_abolished(board: Body, limited: Seat, charlie: User) -> None:
    seat_person(actor=None, seat=limited, user=charlie, since=FIRST, until=SECOND)
    with pytest.raises(Refusal, match="Charlie holds this seat"):
        abolish_seat(actor=None, seat=limited, on=date(2021, 1, 1))
    with pytest.raises(Refusal, match="later day"):
        abolish_seat(actor=None, seat=limited, on=limited.since)
    assert abolish_seat(actor=None, seat=limited, on=SECOND).until == SECOND


def test_a_dissolved_body_ends_its_terms_and_seats(board: Body, directors: list[User]) -> None:
    today = START.date()
    with pytest.raises(Refusal, match="later day"):
        dissolve_body(actor=None, body=board, on=board.since)
    dissolve_body(actor=None, body=board, on=today)
    assert not SeatTerm.objects.seated_on(today).exists()
    assert not board.seats.existing(today).exists()
    assert set(SeatTerm.objects.values_list("ending", flat=True)) == {"reorganised"}
    assert not has_role(directors[0], Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board")


def test_a_body_with_an_open_vote_or_a_later_term_is_not_dissolved(
    board: Body, motion: Motion
) -> None:
    with pytest.raises(Refusal, match="A vote of this body is open"):
        dissolve_body(actor=None, body=board, on=START.date())


def test_a_body_with_a_term_to_come_is_not_dissolved(board: Body, charlie: User) -> None:
    seat_person(actor=None, seat=board.seats.get(number=6), user=charlie, since=date(2100, 1, 1))
    with pytest.raises(Refusal, match="begins after that day"):
        dissolve_body(actor=None, body=board, on=START.date())
    assert save_seat(actor=None, seat=board.seats.get(number=6))
