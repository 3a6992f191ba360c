"""Keeping the record, putting it before the body, approving it, correcting it."""

import hashlib

import pytest
from django.db import IntegrityError, transaction

from governance.actions.attendance import call_roll
from governance.actions.minutes import (
    ChangedMeanwhile,
    keep_record,
    move_approval,
    not_to_move,
    not_to_submit,
    submit_minutes,
)
from governance.actions.motion import withdraw_motion
from governance.meetings import compose
from governance.models import Body, Meeting, Minutes, Motion
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, HOUR, START, make_decided, make_rules
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def meeting(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board, days=-20)


def keep(meeting: Meeting, chair: User, text: str, **changed: object) -> Meeting:
    values: dict[str, object] = {
        "opened_at": meeting.begins_at,
        "closed_at": meeting.ends_at,
        "records": {meeting.agenda.earliest("position").pk: text},
        "seen": meeting.record_version,
        **changed,
    }
    return keep_record(actor=chair, meeting=meeting, at=START, **values)  # type: ignore[arg-type]


def test_who_saves_second_overwrites_nothing(meeting: Meeting, directors: list[User]) -> None:
    keep(meeting, directors[0], "The first.")
    with pytest.raises(ChangedMeanwhile):
        keep(meeting, directors[0], "The second.")
    assert meeting.agenda.earliest("position").record == "The first."
    meeting.refresh_from_db()
    assert meeting.record_version == 1


@pytest.mark.parametrize("text", ["# Heading", "```\nnever closed", "- Session: open"])
def test_a_text_that_would_break_the_document_is_refused(
    meeting: Meeting, directors: list[User], text: str
) -> None:
    with pytest.raises(Refusal, match="would break the minutes"):
        keep(meeting, directors[0], text)


def test_a_meeting_is_adjourned_after_it_was_opened(
    meeting: Meeting, directors: list[User]
) -> None:
    for opened_at in (None, meeting.ends_at + HOUR):
        with pytest.raises(Refusal, match="after it was called to order"):
            keep(meeting, directors[0], "", opened_at=opened_at)


def test_others_do_not_keep_the_record(meeting: Meeting, directors: list[User]) -> None:
    with pytest.raises(NotAllowed):
        keep(meeting, directors[1], "Mine.")


def test_what_is_missing_before_minutes_can_be_submitted(
    board: Body, directors: list[User]
) -> None:
    meeting = make_meeting(directors[0], board)
    after = meeting.ends_at + HOUR
    assert "not over" in str(not_to_submit(meeting, START))
    assert "Nobody is on the roll" in str(not_to_submit(meeting, after))
    call_roll(actor=directors[0], meeting=meeting, at=START)
    assert not_to_submit(meeting, after) is None
    meeting.agenda.all().delete()
    assert "agenda is empty" in str(not_to_submit(meeting, after))
    with pytest.raises(Refusal, match="agenda is empty"):
        submit_minutes(actor=directors[0], meeting=meeting, at=after)


def test_a_version_is_frozen_with_its_hash_and_the_voters_are_told(
    meeting: Meeting, directors: list[User]
) -> None:
    hold(meeting, directors, text="We *agreed*.")
    minutes = submit(meeting, directors[0])
    assert minutes.text_sha256 == hashlib.sha256(minutes.text.encode()).hexdigest()
    assert "| Ada | seat 1, Chair | present |  |  |" in minutes.text
    assert "- Called to order: " in minutes.text
    assert "We *agreed*." in minutes.text
    assert minutes.state == Minutes.State.SUBMITTED
    told = OutboxMail.objects.filter(key__startswith="minutes_submitted")
    assert told.count() == 5
    assert minutes.get_absolute_url() in told[0].text
    with pytest.raises(IntegrityError), transaction.atomic():
        Minutes.objects.filter(pk=minutes.pk).update(text="We did not agree.")
    with pytest.raises(IntegrityError), transaction.atomic():
        minutes.delete()


def test_the_result_of_a_motion_stands_in_the_minutes(board: Body, directors: list[User]) -> None:
    carried = make_decided(board, directors, "Buy it", dict.fromkeys(range(5), "yes"))
    failed = make_decided(board, directors, "Sell it", dict.fromkeys(range(5), "no"))
    meeting = make_meeting(directors[0], board, days=-1)
    for position, motion in enumerate((carried, failed), start=3):
        meeting.agenda.create(position=position, title=motion.title, motion=motion)
    results = [item.result for item in compose.document_of(meeting).items]
    assert results[2].startswith(f"Carried as resolution {carried.resolution}. Five voted yes")
    assert results[3].startswith("Not carried. None voted yes")
    assert results[:2] == ["", ""]


def test_minutes_stand_when_a_motion_carried_them(meeting: Meeting, directors: list[User]) -> None:
    hold(meeting, directors)
    minutes = submit(meeting, directors[0])
    assert not meeting.minutes.approved(START).exists()
    approved = approve(minutes, directors)
    assert approved.state == Minutes.State.APPROVED
    assert approved.motion is not None
    assert approved.approved_at == approved.motion.decided_at
    assert minutes.text_sha256 in approved.motion.text
    assert approved.motion.title.startswith("Approve the minutes of ")
    assert list(Minutes.objects.current(START)) == [approved]
    assert list(Minutes.objects.approved(meeting.ends_at)) == []
    with pytest.raises(IntegrityError), transaction.atomic():
        Minutes.objects.filter(pk=minutes.pk).update(motion=None)


def test_a_voter_moves_it_once(meeting: Meeting, directors: list[User], frank: User) -> None:
    hold(meeting, directors)
    minutes = submit(meeting, directors[0])
    with pytest.raises(NotAllowed, match="with a voting seat"):
        move_approval(actor=frank, minutes=minutes, at=START)
    motion = move_approval(actor=directors[1], minutes=minutes, at=START)
    assert motion.state == Motion.State.DRAFT
    minutes.refresh_from_db()
    assert minutes.state == Minutes.State.PROPOSED
    with pytest.raises(Refusal, match="moved already"):
        move_approval(actor=directors[0], minutes=minutes, at=START)
    assert "being decided on" in str(not_to_submit(meeting, START))


def test_a_correction_is_another_version_with_its_own_vote(
    meeting: Meeting, directors: list[User]
) -> None:
    chair = directors[0]
    hold(meeting, directors)
    first = approve(submit(meeting, chair), directors)
    meeting.refresh_from_db()
    assert "Nothing changed" in str(not_to_submit(meeting, START))
    keep(meeting, chair, "All was very well.")
    with pytest.raises(Refusal, match="Say what changed"):
        submit(meeting, chair)
    second = submit(meeting, chair, note="The mood of item 1.")
    assert list(Minutes.objects.current(START)) == [first]
    second = approve(second, directors)
    assert second.motion is not None
    assert second.motion.title.endswith("(2)")
    assert "> The mood of item 1." in second.motion.text
    assert list(Minutes.objects.current(START)) == [second]
    assert list(meeting.minutes.approved(START)) == [second, first]
    assert "newer version" in str(not_to_move(chair, first, START))


def test_minutes_that_were_refused_are_submitted_again(
    meeting: Meeting, directors: list[User]
) -> None:
    hold(meeting, directors)
    refused = approve(submit(meeting, directors[0]), directors, choice="no")
    assert refused.state == Minutes.State.REFUSED
    assert "did not approve" in str(not_to_move(directors[0], refused, START))
    assert submit(meeting, directors[0], note="The same, with thanks.").number == 2


def test_a_withdrawn_motion_refuses_them_too(meeting: Meeting, directors: list[User]) -> None:
    hold(meeting, directors)
    minutes = submit(meeting, directors[0])
    motion = move_approval(actor=directors[0], minutes=minutes, at=START)
    withdraw_motion(actor=directors[0], motion=motion, at=START)
    minutes = Minutes.objects.select_related("motion").get(pk=minutes.pk)
    assert minutes.state == Minutes.State.REFUSED


def test_a_body_without_ordinary_rules_uses_what_it_has(
    meeting: Meeting, board: Body, directors: list[User]
) -> None:
    board.rule_sets.all().delete()
    hold(meeting, directors)
    minutes = submit(meeting, directors[0])
    with pytest.raises(Refusal, match="no rules in force"):
        move_approval(actor=directors[0], minutes=minutes, at=START)
    make_rules(board, subject="formal")
    assert move_approval(actor=directors[0], minutes=minutes, at=START).subject == "formal"


def test_of_closed_sessions_the_public_text_has_the_title_alone(
    meeting: Meeting, directors: list[User]
) -> None:
    first = meeting.agenda.earliest("position")
    first.is_closed = True
    first.save()
    hold(meeting, directors, text="Salaries.")
    minutes = submit(meeting, directors[0])
    assert "Salaries." in minutes.text_for(closed=True)
    public = minutes.text_for(closed=False)
    assert "Salaries." not in public
    assert f"## 1. {first.title}\n\n- Session: closed\n- Sealed: " in public
    assert minutes.text_sha256 == hashlib.sha256(public.encode()).hexdigest()


def test_a_closed_session_keeps_its_salt_so_that_a_correction_shows_what_it_changed(
    meeting: Meeting, directors: list[User]
) -> None:
    first, second = meeting.agenda.order_by("position")[:2]
    meeting.agenda.filter(pk=first.pk).update(is_closed=True)
    hold(meeting, directors, text="Salaries.")
    before = submit(meeting, directors[0]).document.items[0]
    with pytest.raises(Refusal, match="Nothing changed"):
        submit(meeting, directors[0], note="Nothing.")
    second.record = "Another word."
    second.save()
    assert submit(meeting, directors[0], note="A word.").document.items[0] == before
    assert len(before.salt) == 32
    assert meeting.ends_at < START - 10 * DAY
