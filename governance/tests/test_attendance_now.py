"""Arrivals and departures noted as they happen, and the quorum of the moment."""

from datetime import timedelta

import pytest

from governance.actions.attendance import call_roll, note_arrival, note_departure
from governance.meetings import page
from governance.models import Attendance, Body, Meeting
from governance.refusals import Refusal
from governance.tests.conftest import HOUR, START
from governance.tests.meeting_cast import make_meeting
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def meeting(board: Body, directors: list[User]) -> Meeting:
    """It began less than an hour ago, and the roll is called."""
    meeting = make_meeting(directors[0], board, days=-HOUR / timedelta(days=1))
    meeting.begins_at, meeting.ends_at = START - 30 * MINUTE, START + HOUR
    meeting.save()
    call_roll(actor=directors[0], meeting=meeting, at=START)
    return meeting


def row(meeting: Meeting, person: User) -> Attendance:
    return meeting.attendance.select_related("meeting").get(user=person)


def test_who_comes_before_the_beginning_was_there_from_it(
    meeting: Meeting, directors: list[User]
) -> None:
    chair = directors[0]
    early = note_arrival(
        actor=chair, attendance=row(meeting, chair), at=meeting.begins_at - 2 * MINUTE
    )
    assert (early.kind, early.arrived_at) == ("present", None)
    late = note_arrival(actor=chair, attendance=row(meeting, directors[1]), at=START)
    assert late.arrived_at == START.replace(second=0)


def test_who_leaves_is_not_counted_from_that_minute_on_and_can_be_back(
    meeting: Meeting, directors: list[User]
) -> None:
    chair = directors[0]
    for person in directors[:4]:
        note_arrival(actor=chair, attendance=row(meeting, person), at=START - 40 * MINUTE)
    quorum = page.quorum(meeting, START)
    assert quorum is not None
    assert (quorum.now, quorum.is_met_now) == (4, True)
    note_departure(actor=chair, attendance=row(meeting, directors[3]), at=START)
    quorum = page.quorum(meeting, START + MINUTE)
    assert quorum is not None
    assert (quorum.now, quorum.is_met_now) == (3, False)
    note_arrival(actor=chair, attendance=row(meeting, directors[3]), at=START + 5 * MINUTE)
    back = row(meeting, directors[3])
    since = START.replace(second=0, microsecond=0)
    assert (back.left_at, back.spans) == (None, [(since, since + 5 * MINUTE)])
    between = page.quorum(meeting, START + 4 * MINUTE)
    assert between is not None
    assert between.now == 3
    assert page.quorum(meeting, START + 5 * MINUTE).now == 4  # type: ignore[union-attr]
    late = page.quorum(meeting, meeting.ends_at + HOUR)
    assert late is not None
    assert late.now == 4
    over = page.quorum(meeting, meeting.ends_at + 3 * HOUR)
    assert over is not None
    assert (over.now, over.is_met_now) == (None, False)


def test_who_is_there_at_the_opening_was_there_from_the_beginning(
    meeting: Meeting, directors: list[User]
) -> None:
    chair = directors[0]
    for person in directors[:4]:
        note_arrival(actor=chair, attendance=row(meeting, person), at=START)
    waiting = page.quorum(meeting, START)
    assert waiting is not None
    assert waiting.gaps == []
    meeting.opened_at = START + MINUTE
    opened = page.quorum(meeting, START + 2 * MINUTE)
    assert opened is not None
    assert opened.gaps == []
    meeting.opened_at = START - 10 * MINUTE
    late = page.quorum(meeting, START + 2 * MINUTE)
    assert late is not None
    assert late.gaps == ["From the beginning 0 were there; the quorum is 4."]


def test_who_comes_and_leaves_within_a_minute_was_there_for_one(
    meeting: Meeting, directors: list[User]
) -> None:
    came = note_arrival(actor=directors[0], attendance=row(meeting, directors[1]), at=START)
    left = note_departure(actor=directors[0], attendance=row(meeting, directors[1]), at=START)
    assert came.arrived_at
    assert left.left_at == came.arrived_at + MINUTE


def test_who_comes_and_goes_all_the_time_was_there_in_between(
    meeting: Meeting, directors: list[User]
) -> None:
    chair, eve = directors[0], directors[4]
    note_arrival(actor=chair, attendance=row(meeting, eve), at=meeting.begins_at - MINUTE)
    for minutes in (0, 10, 20):
        at = START + minutes * MINUTE
        note_departure(actor=chair, attendance=row(meeting, eve), at=at)
        with pytest.raises(Refusal, match="Eve left already"):
            note_departure(actor=chair, attendance=row(meeting, eve), at=at + MINUTE)
        note_arrival(actor=chair, attendance=row(meeting, eve), at=at + 4 * MINUTE)
    there = [row(meeting, eve).was_there(START + minutes * MINUTE) for minutes in range(25)]
    assert [n for n, is_there in enumerate(there) if not is_there] == [
        *(0, 1, 2, 3),
        *(10, 11, 12, 13),
        *(20, 21, 22, 23),
    ]


def test_who_is_back_within_the_minute_was_never_outside(
    meeting: Meeting, directors: list[User]
) -> None:
    chair, eve = directors[0], directors[4]
    note_arrival(actor=chair, attendance=row(meeting, eve), at=START)
    note_departure(actor=chair, attendance=row(meeting, eve), at=START)
    back = note_arrival(actor=chair, attendance=row(meeting, eve), at=START)
    assert (back.left_at, back.spans) == (None, [])


def test_nobody_leaves_who_was_not_there(meeting: Meeting, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="Bea was not there"):
        note_departure(actor=directors[0], attendance=row(meeting, directors[1]), at=START)


def test_a_button_notes_the_moment_and_keeps_what_else_was_typed(
    meeting: Meeting, directors: list[User]
) -> None:
    desk, path = sign_in(directors[0]), f"{meeting.get_absolute_url()}attendance/"
    ada, bea = row(meeting, directors[0]), row(meeting, directors[1])
    sent = {f"{each.pk}-kind": each.kind for each in meeting.attendance.all()}
    sent |= {f"{bea.pk}-kind": "excused", "now": f"{ada.pk}:in"}
    text = desk.post(path, sent, follow=True).content.decode()
    assert "In the room now: 1 of 7 voting seats; the quorum is 4" in text
    assert 'data-live="20"' in text
    assert row(meeting, directors[1]).kind == "excused"
    assert f'value="{ada.pk}:out"' in text
    sent |= {f"{ada.pk}-kind": "present", "now": f"{bea.pk}:out"}
    assert "Bea was not there" in desk.post(path, sent, follow=True).content.decode()
    assert desk.post(path, sent | {"now": "none:in"}).status_code == 404
    assert "In the room now" in desk.get(meeting.get_absolute_url()).content.decode()


def test_times_outside_are_typed_and_what_is_wrong_is_said_beside_them(
    meeting: Meeting, directors: list[User]
) -> None:
    desk, path = sign_in(directors[0]), f"{meeting.get_absolute_url()}attendance/"
    ada = row(meeting, directors[0])
    sent = {f"{each.pk}-kind": "present" for each in meeting.attendance.all()}
    begins = meeting.begins_at
    at = [f"{begins + minutes * MINUTE:%H:%M}" for minutes in (5, 9, 15, 20)]
    told = f"{at[0]}-{at[1]}, {at[2]}–{at[3]}"
    assert desk.post(path, sent | {f"{ada.pk}-outside": told}).status_code == 302
    assert len(row(meeting, directors[0]).spans) == 2
    assert f'value="{at[0]}–{at[1]}, {at[2]}–{at[3]}"' in desk.get(path).content.decode()
    for wrong, words in ((at[0], "Write 14:20–14:40"), (f"{at[1]}-{at[0]}", "do not follow")):
        refused = desk.post(path, sent | {f"{ada.pk}-outside": wrong})
        assert refused.status_code == 422
        assert words in refused.content.decode()
    assert len(row(meeting, directors[0]).spans) == 2
