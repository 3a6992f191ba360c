"""A vote in a meeting is given by who was in the room, by its roll; motion and meeting know it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from governance.actions.agenda import gather_motions
from governance.actions.attendance import Mark, call_roll, mark_attendance
from governance.actions.body import save_body
from governance.actions.meeting import Plan, cancel_meeting, plan_meeting
from governance.actions.meeting_vote import record_meeting_vote
from governance.meetings import compose, room
from governance.meetings.writing import write
from governance.models import Body, Meeting, Motion, Vote
from governance.refusals import Refusal
from governance.sections import motion as section
from governance.sections.asked import Asked
from governance.tests.conftest import DAY, HOUR, START, make_decided, make_draft, make_rules
from governance.tests.meeting_cast import approve, make_meeting, submit
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
YES, NO = Vote.Choice.YES, Vote.Choice.NO
MINUTE = timedelta(minutes=1)


@pytest.fixture
def meeting(board: Body, directors: list[User]) -> Meeting:
    """Held nine days ago for two hours. Bea came after an hour, Dov left then, Eve was excused."""
    held = make_meeting(directors[0], board, days=-9)
    middle = held.begins_at + HOUR
    rows = call_roll(actor=directors[0], meeting=held, at=held.begins_at)
    marks: dict[str, dict[str, Any]] = {
        "Bea": {"arrived_at": middle},
        "Dov": {"left_at": middle},
        "Eve": {"kind": "excused"},
    }
    mark_attendance(
        actor=directors[0],
        meeting=held,
        marks=[Mark(row.pk, **{"kind": "present"} | marks.get(row.name, {})) for row in rows],
        at=held.ends_at,
    )
    return held


@pytest.fixture
def wanted(board: Body, directors: list[User]) -> Motion:
    return make_draft(board, directors[0], "In the room", at=START - 12 * DAY)


def record(motion: Motion, frank: User, meeting: Meeting, minutes: int, **voices: str) -> Motion:
    """`a="yes"` for seat 1 and so on, so many minutes after the meeting began."""
    by_seat = {"abcde".index(seat) + 1: Vote.Choice(choice) for seat, choice in voices.items()}
    voted_at = meeting.begins_at + minutes * MINUTE
    return record_meeting_vote(
        actor=frank, motion=motion, voices=by_seat, voted_at=voted_at, meeting=meeting, at=START
    )


def test_who_is_in_the_room_changes_with_arrivals_and_departures(
    meeting: Meeting, directors: list[User]
) -> None:
    early, late = (room.room(meeting, meeting.begins_at + minutes * MINUTE) for minutes in (30, 90))
    ada, bea, cyd, dov, _eve = (person.pk for person in directors)
    assert early.voters == {ada, cyd, dov}
    assert late.voters == {ada, bea, cyd}
    assert (early.count, early.seats, early.needed, early.has_quorum) == (3, 7, 4, False)


def test_who_went_out_and_is_back_votes_on_what_is_put_afterwards(
    meeting: Meeting, wanted: Motion, frank: User, directors: list[User], board: Body
) -> None:
    """Cyd is outside from the 20th to the 40th minute, and again from the 60th to the 80th."""
    at = [meeting.begins_at + minutes * MINUTE for minutes in (20, 40, 60, 80)]
    cyd = meeting.attendance.get(user=directors[2])
    mark = Mark(cyd.pk, "present", outings=[(at[0], at[1]), (at[2], at[3])])
    mark_attendance(actor=directors[0], meeting=meeting, marks=[mark], at=meeting.ends_at)
    for minutes in (20, 39, 60, 70):
        with pytest.raises(Refusal, match="by the roll: Cyd"):
            record(wanted, frank, meeting, minutes, a="yes", c="yes")
    decided = record(wanted, frank, meeting, 40, a="yes", c="yes", d="yes")
    assert Vote.objects.filter(voter__user=directors[2], voter__motion=decided).exists()
    other = make_draft(board, directors[0], "Once more", at=START - 12 * DAY)
    record(other, frank, meeting, 85, a="yes", b="no", c="yes")
    text = write(compose.document_of(meeting))
    assert f"{at[0]:%H:%M}–{at[1]:%H:%M}, {at[2]:%H:%M}–{at[3]:%H:%M} |" in text


def test_only_who_was_in_the_room_votes(meeting: Meeting, wanted: Motion, frank: User) -> None:
    with pytest.raises(Refusal, match="by the roll: Bea, Eve"):
        record(wanted, frank, meeting, 30, a="yes", b="yes", c="yes", e="no")
    assert not Vote.objects.exists()
    assert not meeting.agenda.filter(motion=wanted).exists()
    decided = record(wanted, frank, meeting, 90, a="yes", b="yes", c="no")
    assert decided.meeting == meeting
    assert Vote.objects.count() == 3


def test_rules_may_let_the_absent_vote(
    meeting: Meeting, wanted: Motion, board: Body, frank: User
) -> None:
    make_rules(board, absent_may_vote=True, meeting_clause="Bylaw 5.3")
    decided = record(wanted, frank, meeting, 30, a="yes", b="yes", c="yes", d="yes", e="yes")
    assert decided.state == Motion.State.ADOPTED


def test_the_vote_stands_on_the_agenda_and_in_the_minutes(
    meeting: Meeting, wanted: Motion, frank: User, directors: list[User]
) -> None:
    decided = record(wanted, frank, meeting, 30, a="yes", c="yes", d="no")
    item = meeting.agenda.get(motion=decided)
    assert item.position == meeting.agenda.count()
    [shown] = [each for each in compose.document_of(meeting).items if each.motion == decided.slug]
    assert "Three" in shown.result
    assert "Yes: Ada, Cyd. No: Dov." in shown.result
    [document] = [body for _name, body in section.documents(Asked(START))]
    assert document["meeting"]["slug"] == meeting.slug
    approve(submit(meeting, directors[0]), directors)
    page = Client().get(decided.get_absolute_url()).content.decode()
    assert f'Voted on in <a href="{meeting.get_absolute_url()}">' in page
    assert f"{meeting.get_absolute_url()}minutes/1/" in page
    assert decided.get_absolute_url() in Client().get(meeting.get_absolute_url()).content.decode()
    assert Client().get(f"{decided.get_absolute_url()[:-1]}.json").json()["meeting"] == meeting.slug


def test_a_vote_outside_any_meeting_names_none(
    board: Body, directors: list[User], wanted: Motion
) -> None:
    voted = make_decided(board, directors, "In writing", {0: "yes", 1: "yes", 2: "yes", 3: "yes"})
    assert voted.meeting is None
    assert all("meeting" not in body for _name, body in section.documents(Asked(START)))


@pytest.mark.parametrize(
    ("changed", "minutes", "words"),
    [
        ({"opened_at": 5}, 4, "before the meeting"),
        ({}, -7 * 60, "before the meeting"),
        ({"opened_at": 5, "closed_at": 80}, 81, "after the meeting"),
    ],
)
def test_a_vote_is_given_while_the_meeting_goes_on(
    meeting: Meeting, wanted: Motion, frank: User, changed: dict[str, int], minutes: int, words: str
) -> None:
    for name, after in changed.items():
        setattr(meeting, name, meeting.begins_at + after * MINUTE)
    meeting.save()
    with pytest.raises(Refusal, match=words):
        record(wanted, frank, meeting, minutes, a="yes")


def test_a_meeting_that_cannot_have_voted_is_refused(
    board: Body, directors: list[User], wanted: Motion, frank: User
) -> None:
    uncalled = make_meeting(directors[0], board, days=-1)
    with pytest.raises(Refusal, match="was not called"):
        record(wanted, frank, uncalled, 30, a="yes")
    begins = START - DAY
    other = save_body(
        actor=None, body=Body(slug="other", name="O", kind="council", since=board.since)
    )
    elsewhere = plan_meeting(
        actor=None, body=other, plan=Plan("Council", begins, begins + HOUR), at=START - 2 * DAY
    )
    with pytest.raises(Refusal, match="another body"):
        record(wanted, frank, elsewhere, 30, a="yes")
    coming = make_meeting(directors[0], board)
    cancel_meeting(actor=directors[0], meeting=coming, reason="Ill.", at=START)
    coming.refresh_from_db()
    refusal = room.not_to_vote_in(coming, START)
    assert "cancelled" in str(refusal)


def shown(desk: Client, motion: Motion, **asked: Any) -> str:
    answer = desk.get(f"{motion.get_absolute_url()}meeting-vote/", asked)
    return " ".join(answer.content.decode().split())


def test_the_page_knows_who_was_there_and_offers_the_absent_no_vote(
    meeting: Meeting, wanted: Motion, frank: User
) -> None:
    desk, when = sign_in(frank), meeting.begins_at + 30 * MINUTE
    asked = {"meeting": meeting.slug, "voted_at": when.strftime("%Y-%m-%dT%H:%M")}
    page = shown(desk, wanted, **asked)
    assert "3 of 7 voting seats were in the room" in page
    assert "the vote will be void" in page
    assert 'name="seat_1"' in page
    assert 'name="seat_2"' not in page  # Bea came later
    assert "Not in the room then." in page
    every = shown(desk, wanted, **asked, all="yes")
    assert every.count('<option value="yes" selected>') == 3
    sent = asked | {"seat_1": "yes", "seat_2": "yes", "seat_3": "yes"}
    path = f"{wanted.get_absolute_url()}meeting-vote/"
    refused = desk.post(path, sent)
    assert refused.status_code == 422
    assert "Was in the room: choose how they voted." in refused.content.decode()
    done = desk.post(path, sent | {"seat_4": "no", "confirmed": "yes"}, follow=True)
    assert "recorded and counted" in done.content.decode()
    assert set(Vote.objects.values_list("voter__number", flat=True)) == {1, 3, 4}


def test_the_page_begins_with_the_last_meeting_and_says_what_is_missing(
    meeting: Meeting, wanted: Motion, frank: User, directors: list[User]
) -> None:
    desk = sign_in(frank)
    assert f'<option value="{meeting.slug}" selected>' in shown(desk, wanted)
    uncalled = make_meeting(directors[0], meeting.body, days=-0.5)
    page = shown(desk, wanted, meeting=uncalled.slug)
    assert "was not called" in page
    assert f"{uncalled.get_absolute_url()}attendance/" in page
    assert "No roll says who was there" in shown(desk, wanted, meeting="none-such")
    assert "Say above when it was voted" in shown(desk, wanted, voted_at="soon")


def test_a_motion_that_is_discussed_first_is_not_voted_on_yet(
    meeting: Meeting, wanted: Motion, board: Body, frank: User
) -> None:
    make_rules(board, discussion_days=5)
    page = shown(sign_in(frank), wanted, meeting=meeting.slug)
    assert "It is discussed first. Open its discussion." in page
    assert "Review it" not in page


def test_the_meeting_leads_to_the_vote_of_each_motion(
    meeting: Meeting, wanted: Motion, frank: User, directors: list[User]
) -> None:
    gather_motions(actor=directors[0], meeting=meeting, at=START)
    there = f"{wanted.get_absolute_url()}meeting-vote/?meeting={meeting.slug}"
    for address in ("", "record/"):
        page = sign_in(frank).get(f"{meeting.get_absolute_url()}{address}").content.decode()
        assert there in page
    chair = sign_in(directors[0]).get(meeting.get_absolute_url()).content.decode()
    assert there not in chair
    motion_page = sign_in(frank).get(wanted.get_absolute_url()).content.decode()
    assert "On the agenda of <a" in motion_page
