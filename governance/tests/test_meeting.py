"""Planning, announcing, changing and cancelling a meeting; reminding of it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError

from governance.actions.meeting import (
    announce_meeting,
    cancel_meeting,
    change_meeting,
    plan_meeting,
    remind_due,
)
from governance.actions.seat import seat_person
from governance.meetings import access
from governance.models import Body, Meeting, Motion, Seat
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, HOUR, SEATED, START
from governance.tests.meeting_cast import BEGINS, PLAN, make_meeting, plan_of
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import make_person

pytestmark = pytest.mark.django_db


def letters(template: str) -> list[str]:
    found = OutboxMail.objects.filter(key__startswith=f"{template}:").order_by("pk")
    return list(found.values_list("recipient", flat=True))


def test_a_meeting_begins_with_an_agenda_of_what_is_open(
    board: Body, directors: list[User], motion: Motion, draft: Motion
) -> None:
    meeting = plan_meeting(actor=directors[0], body=board, plan=PLAN, at=START)
    assert meeting.slug == f"board-{BEGINS.year}-1"
    assert [(item.title, item.motion) for item in meeting.agenda.all()] == [
        ("Opening, attendance and quorum", None),
        (motion.title, motion),
        (draft.title, draft),
        ("Any other business", None),
    ]
    assert letters("meeting_announced") == []
    second = plan_meeting(actor=directors[0], body=board, plan=PLAN, at=START)
    assert second.slug == f"board-{BEGINS.year}-2"


def test_the_chair_the_secretary_and_staff_keep_meetings(
    board: Body, directors: list[User], frank: User, charlie: User
) -> None:
    secretary = make_person("sam")
    seat = Seat(body=board, number=10, is_voting=False, office="secretary", since=SEATED)
    seat.save()
    seat_person(actor=None, seat=seat, user=secretary, since=SEATED)
    for person in (directors[0], secretary, frank):
        plan_meeting(actor=person, body=board, plan=PLAN, at=START)
    for person in (directors[1], charlie):
        with pytest.raises(NotAllowed, match="Only the chair, the secretary"):
            plan_meeting(actor=person, body=board, plan=PLAN, at=START)
    assert access.runs_some(secretary, START) == [board]
    assert access.runs_some(directors[1], START) == []
    rights = access.access(secretary, board, START)
    assert (rights.runs, rights.reads_closed, rights.votes) == (True, True, False)


def test_a_meeting_ends_after_it_begins(board: Body, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="choose a later end"):
        plan_meeting(actor=directors[0], body=board, plan=replace(PLAN, ends_at=BEGINS), at=START)
    meeting = make_meeting(directors[0], board)
    with pytest.raises(IntegrityError):
        Meeting.objects.filter(pk=meeting.pk).update(ends_at=meeting.begins_at)


def test_before_it_is_announced_the_body_alone_sees_it(
    board: Body, directors: list[User], charlie: User, frank: User
) -> None:
    meeting = plan_meeting(actor=directors[0], body=board, plan=PLAN, at=START)
    seen = Meeting.objects.visible_to
    assert [meeting in seen(who, START) for who in (directors[1], frank, charlie)] == [
        True,
        True,
        False,
    ]
    announce_meeting(actor=directors[0], meeting=meeting, at=START)
    assert meeting in seen(charlie, START)
    assert letters("meeting_announced") == [person.email for person in directors]
    calendars = OutboxMail.objects.filter(key__startswith="meeting_announced")
    assert all(f"UID:{meeting.slug}@" in mail.calendar for mail in calendars)
    text = OutboxMail.objects.filter(key__startswith="meeting_announced").first()
    assert text is not None
    assert "https://meet.example.org/board" in text.text
    assert text.about == f"meeting:{meeting.slug}"
    announce_meeting(actor=directors[0], meeting=meeting, at=START + HOUR)
    assert Meeting.objects.get().announced_at == START


def test_of_a_meeting_that_is_over_nobody_is_told(board: Body, directors: list[User]) -> None:
    make_meeting(directors[0], board, days=-10)
    past = plan_meeting(actor=directors[0], body=board, plan=plan_of(-3), at=START)
    OutboxMail.objects.all().delete()
    announce_meeting(actor=directors[0], meeting=past, at=START)
    assert letters("meeting_announced") == []
    assert Meeting.objects.past(START).first() == past
    assert list(Meeting.objects.upcoming(START)) == []


def test_another_time_is_told_and_another_title_is_not(board: Body, directors: list[User]) -> None:
    meeting = make_meeting(directors[0], board)
    later = plan_of(11)
    meeting = change_meeting(actor=directors[0], meeting=meeting, plan=later, at=START + HOUR)
    assert (meeting.begins_at, meeting.revision) == (later.begins_at, 1)
    assert meeting.slug == f"board-{BEGINS.year}-1"
    assert len(letters("meeting_changed")) == 5
    renamed = replace(later, title="Winter meeting")
    meeting = change_meeting(actor=directors[0], meeting=meeting, plan=renamed, at=START + HOUR)
    assert meeting.revision == 2
    assert len(letters("meeting_changed")) == 5
    same = change_meeting(actor=directors[0], meeting=meeting, plan=renamed, at=START + 2 * HOUR)
    assert same.changed_at == START + HOUR


def test_a_cancelled_meeting_stays_with_its_reason(board: Body, directors: list[User]) -> None:
    chair = directors[0]
    meeting = make_meeting(chair, board)
    with pytest.raises(Refusal, match="Say why"):
        cancel_meeting(actor=chair, meeting=meeting, reason=" ", at=START)
    meeting = cancel_meeting(actor=chair, meeting=meeting, reason="No quorum.", at=START)
    assert meeting.is_cancelled
    assert len(letters("meeting_cancelled")) == 5
    with pytest.raises(Refusal, match="already"):
        cancel_meeting(actor=chair, meeting=meeting, reason="x", at=START)
    with pytest.raises(Refusal, match="another one"):
        change_meeting(actor=chair, meeting=meeting, plan=PLAN, at=START)
    with pytest.raises(Refusal, match="another one"):
        announce_meeting(actor=chair, meeting=meeting, at=START)
    assert not Meeting.objects.held(START, START + 100 * DAY).exists()


def test_a_meeting_that_has_begun_is_not_cancelled(board: Body, directors: list[User]) -> None:
    meeting = make_meeting(directors[0], board)
    with pytest.raises(Refusal, match="has begun"):
        cancel_meeting(actor=directors[0], meeting=meeting, reason="Late.", at=meeting.begins_at)


def test_a_plan_that_was_never_announced_is_cancelled_without_letters(
    board: Body, directors: list[User]
) -> None:
    meeting = plan_meeting(actor=directors[0], body=board, plan=PLAN, at=START)
    cancel_meeting(actor=directors[0], meeting=meeting, reason="Not needed.", at=START)
    assert letters("meeting_cancelled") == []


def test_everybody_is_reminded_once_a_day_before(board: Body, directors: list[User]) -> None:
    meeting = make_meeting(directors[0], board)
    day_before = meeting.begins_at - DAY
    assert remind_due(at=day_before - timedelta(minutes=1)) == 0
    assert [remind_due(at=day_before), remind_due(at=day_before + HOUR)] == [1, 0]
    assert len(letters("meeting_reminder")) == 5
    moved = change_meeting(
        actor=directors[0], meeting=meeting, plan=plan_of(14), at=day_before + HOUR
    )
    assert remind_due(at=moved.begins_at - HOUR) == 1
    assert len(letters("meeting_reminder")) == 10


def test_who_holds_two_seats_gets_one_letter(board: Body, directors: list[User]) -> None:
    make_meeting(directors[0], board)
    assert letters("meeting_announced").count("ada@example.org") == 1
