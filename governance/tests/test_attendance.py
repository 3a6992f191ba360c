"""Who was at a meeting: the roll from the seats, marks, guests, the quorum over time."""

from datetime import timedelta

import pytest
from django.db import IntegrityError

from governance.actions.attendance import (
    Mark,
    add_guest,
    call_roll,
    mark_attendance,
    remove_guest,
)
from governance.actions.seat import seat_person
from governance.meetings import page
from governance.models import Attendance, Body, Meeting, Outing, Seat
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import HOUR, SEATED, START
from governance.tests.meeting_cast import make_meeting
from portal.accounts.models import User
from tests.cast import make_person
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def meeting(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board)


def roll(meeting: Meeting, directors: list[User]) -> list[Attendance]:
    return call_roll(actor=directors[0], meeting=meeting, at=START)


def test_the_roll_is_everybody_with_a_seat_on_the_day_and_nobody_is_present(
    meeting: Meeting, board: Body, directors: list[User]
) -> None:
    late = make_person("late")
    seat_person(
        actor=None,
        seat=board.seats.get(number=6),
        user=late,
        since=meeting.day + timedelta(days=1),
    )
    rows = roll(meeting, directors)
    assert [(row.name, row.seat, row.votes) for row in rows] == [
        ("Ada", "seat 1, Chair", True),
        *((name, f"seat {n}", True) for n, name in enumerate(["Bea", "Cyd", "Dov", "Eve"], 2)),
    ]
    assert {row.kind for row in rows} == {"absent"}
    assert len(roll(meeting, directors)) == 5


def test_who_keeps_the_record_is_its_secretary(
    meeting: Meeting, board: Body, directors: list[User]
) -> None:
    seat = Seat.objects.create(
        body=board, number=10, is_voting=False, office="secretary", since=SEATED
    )
    sam = make_person("sam")
    seat_person(actor=None, seat=seat, user=sam, since=SEATED)
    call_roll(actor=sam, meeting=meeting, at=START)
    row = meeting.attendance.get(user=sam)
    assert (row.kind, row.votes, row.seat) == ("secretary", False, "Secretary")


def test_marks_say_who_came_from_when_to_when(meeting: Meeting, directors: list[User]) -> None:
    ada, bea, cyd, *_rest = roll(meeting, directors)
    late, early = meeting.begins_at + HOUR / 4, meeting.begins_at + HOUR
    marks = [
        Mark(ada.pk, "present"),
        Mark(bea.pk, "present", late, early),
        Mark(cyd.pk, "excused", late, early),
    ]
    mark_attendance(actor=directors[0], meeting=meeting, marks=marks, at=START)
    rows = {row.name: row for row in meeting.attendance.all()}
    assert (rows["Bea"].arrived_at, rows["Bea"].left_at) == (late, early)
    assert (rows["Cyd"].kind, rows["Cyd"].arrived_at, rows["Cyd"].left_at) == (
        "excused",
        None,
        None,
    )
    wrong = [Mark(bea.pk, "present", early, late)]
    with pytest.raises(Refusal, match=r"Bea: the times .* do not follow each other"):
        mark_attendance(actor=directors[0], meeting=meeting, marks=wrong, at=START)


def test_the_database_refuses_times_of_who_was_absent(
    meeting: Meeting, directors: list[User]
) -> None:
    row = roll(meeting, directors)[0]
    with pytest.raises(IntegrityError):
        Attendance.objects.filter(pk=row.pk).update(arrived_at=meeting.begins_at)


def test_somebody_is_outside_as_often_as_it_was(meeting: Meeting, directors: list[User]) -> None:
    bea = roll(meeting, directors)[1]
    at = [meeting.begins_at + HOUR / 10 * tenth for tenth in range(6)]
    twice = Mark(bea.pk, "present", at[0], None, [(at[1], at[2]), (at[3], at[4])])
    mark_attendance(actor=directors[0], meeting=meeting, marks=[twice], at=START)
    bea.refresh_from_db()
    assert [bea.was_there(moment) for moment in at] == [True, False, True, False, True, True]
    once = Mark(bea.pk, "present", None, None, [(at[1], at[2])])
    mark_attendance(actor=directors[0], meeting=meeting, marks=[once], at=START)
    assert bea.spans == [(at[1], at[2])]
    gone = Mark(bea.pk, "excused", None, None, [(at[1], at[2])])
    mark_attendance(actor=directors[0], meeting=meeting, marks=[gone], at=START)
    assert bea.spans == []
    overlapping = Mark(bea.pk, "present", None, None, [(at[1], at[3]), (at[2], at[4])])
    with pytest.raises(Refusal, match="do not follow each other"):
        mark_attendance(actor=directors[0], meeting=meeting, marks=[overlapping], at=START)


@pytest.mark.parametrize("minutes", [(0, 0), (5, 15), (15, 30), (12, 18), (0, 60)])
def test_the_database_refuses_outings_that_overlap(
    meeting: Meeting, directors: list[User], minutes: tuple[int, int]
) -> None:
    rows = roll(meeting, directors)

    def outside(row: Attendance, left: int, back: int) -> None:
        at = [meeting.begins_at + timedelta(minutes=after) for after in (left, back)]
        Outing.objects.create(attendance=row, left_at=at[0], back_at=at[1])

    outside(rows[0], 10, 20)
    outside(rows[0], 20, 25)
    outside(rows[1], 10, 20)
    with pytest.raises(IntegrityError):
        outside(rows[0], *minutes)


def test_guests_are_named_once_and_can_be_taken_off(
    meeting: Meeting, directors: list[User]
) -> None:
    chair = directors[0]
    rows = roll(meeting, directors)
    guest = add_guest(actor=chair, meeting=meeting, name=" Noor  Haddad ", seat="Auditor", at=START)
    assert (guest.name, guest.kind, guest.votes) == ("Noor Haddad", "observer", False)
    with pytest.raises(Refusal, match="on the roll already"):
        add_guest(actor=chair, meeting=meeting, name="Noor Haddad", at=START)
    remove_guest(actor=chair, attendance=guest, at=START)
    with pytest.raises(Refusal, match="stays on the roll"):
        remove_guest(actor=chair, attendance=rows[0], at=START)
    with pytest.raises(NotAllowed):
        add_guest(actor=directors[1], meeting=meeting, name="Friend", at=START)


def test_the_quorum_is_kept_or_lost_minute_by_minute(
    meeting: Meeting, directors: list[User]
) -> None:
    assert page.quorum(meeting, START) is None
    rows = roll(meeting, directors)
    leaves = meeting.begins_at + HOUR
    marks = [Mark(row.pk, "present") for row in rows[:4]]
    mark_attendance(actor=directors[0], meeting=meeting, marks=marks, at=START)
    found = page.quorum(meeting, START)
    assert found is not None
    assert (found.present, found.seats, found.needed, found.is_met) == (4, 7, 4, True)
    marks[0] = Mark(rows[0].pk, "present", None, leaves)
    mark_attendance(actor=directors[0], meeting=meeting, marks=marks, at=START)
    lost = page.quorum(meeting, START)
    assert lost is not None
    assert lost.gaps == [f"From {leaves:%H:%M} 3 were there; the quorum is 4."]
    mark_attendance(
        actor=directors[0], meeting=meeting, marks=[Mark(rows[1].pk, "absent")], at=START
    )
    never = page.quorum(meeting, START)
    assert never is not None
    assert never.gaps[0] == "From the beginning 3 were there; the quorum is 4."
