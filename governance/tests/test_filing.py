"""What a body decided in writing is filed with the minutes of its next meeting."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from governance.actions.minutes import move_approval
from governance.actions.motion import edit_motion, open_motion, second_motion
from governance.meetings import compose
from governance.models import Body, Consent, Filing, Meeting, Motion
from governance.refusals import Refusal
from governance.tests.conftest import DAY, HOUR, START
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from governance.tests.written import in_writing, make_consent, sign
from portal.accounts.models import User
from portal.lib.models import AuditEntry
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


def make_signed(board: Body, people: list[User], title: str, days: int) -> Consent:
    """A consent that took effect so many days ago."""
    consent = make_consent(board, people, title, at=START - days * DAY)
    sign(consent, *people, at=START - days * DAY + HOUR)
    return Consent.objects.select_related("motion").get(pk=consent.pk)


@pytest.fixture
def consents(board: Body, directors: list[User]) -> list[Consent]:
    """One before the meeting, one after it, one that is not signed by all."""
    in_writing(board)
    found = [make_signed(board, directors, f"Sign {days}", days) for days in (40, 5)]
    make_consent(board, directors, "Unsigned", at=START - 41 * DAY)
    return found


@pytest.fixture
def meeting(board: Body, directors: list[User]) -> Meeting:
    return hold(make_meeting(directors[0], board, days=-20), directors)


def test_it_is_filed_with_the_minutes_of_the_next_meeting(
    consents: list[Consent], meeting: Meeting, directors: list[User], board: Body
) -> None:
    minutes = submit(meeting, directors[0])
    before, after = consents
    assert [row.resolution for row in minutes.document.consents] == [before.motion.resolution]
    assert f"| {before.motion.resolution} | Sign 40 | " in minutes.text
    assert before.motion.text_sha256 in minutes.text
    filing = Filing.objects.get()
    assert (filing.consent, filing.meeting) == (before, meeting)
    assert str(filing) == f"Sign 40: {meeting}"
    entry = AuditEntry.objects.get(verb="consent.filed")
    assert entry.subject_id == str(before.motion_id)
    later = hold(make_meeting(directors[0], board, days=-1), directors)
    assert [row.resolution for row in submit(later, directors[0]).document.consents] == [
        after.motion.resolution
    ]


def test_a_correction_names_it_again_and_files_it_once(
    consents: list[Consent], meeting: Meeting, directors: list[User]
) -> None:
    first = submit(meeting, directors[0])
    meeting.agenda.filter(position=1).update(record="Nearly all was well.")
    second = submit(meeting, directors[0], "One word.")
    assert second.document.consents == first.document.consents
    assert Filing.objects.count() == 1


def test_the_database_keeps_a_filing(
    consents: list[Consent], meeting: Meeting, directors: list[User]
) -> None:
    submit(meeting, directors[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Filing.objects.update(filed_at=START)
    with pytest.raises(IntegrityError), transaction.atomic():
        Filing.objects.all().delete()


def test_another_body_does_not_file_it(consents: list[Consent], meeting: Meeting) -> None:
    council = Body.objects.create(slug="council", name="Council", kind="council", since=START)
    Meeting.objects.filter(pk=meeting.pk).update(body=council)
    meeting.refresh_from_db()
    assert not Consent.objects.of_minutes(meeting).exists()


def test_pages_say_where_it_is_filed(
    consents: list[Consent], meeting: Meeting, directors: list[User], client: Client
) -> None:
    page = f"/governance/motions/{consents[0].motion.resolution}/"
    waits, filed = "minutes of the next meeting of the body", f"/{meeting.slug}/"
    assert waits in client.get(page).content.decode()
    minutes = submit(meeting, directors[0])
    assert waits in client.get(page).content.decode(), "the minutes are no public ones yet"
    assert filed in sign_in(directors[1]).get(page).content.decode()
    approve(minutes, directors)
    told = client.get(page).content.decode()
    assert filed in told
    assert waits not in told
    of_meeting = client.get(meeting.get_absolute_url()).content.decode()
    assert "filed with these minutes" in of_meeting
    assert page in of_meeting
    draft = sign_in(directors[0]).get(f"{meeting.get_absolute_url()}minutes/")
    assert page in draft.content.decode()


def test_an_item_whose_motion_was_not_voted_on_says_how_it_was_decided(
    consents: list[Consent], meeting: Meeting
) -> None:
    motion = consents[0].motion
    told = compose.result_of(motion)
    assert told == f"Carried as resolution {motion.resolution}. By written consent."
    lost = Motion(way="consent", state="failed", decided_at=START)
    assert compose.result_of(lost) == "Not carried. Too few signed the written consent."
    agreed = Motion(way="consensus", state="adopted", decided_at=START, year=2026, number=3)
    assert compose.result_of(agreed) == "Carried as resolution 2026-03. Decided by consensus."


def test_a_motion_that_approves_minutes_names_their_text(
    meeting: Meeting, directors: list[User]
) -> None:
    """Else the minutes would stand by a vote on something else."""
    minutes = submit(meeting, directors[0])
    at = minutes.submitted_at + HOUR
    motion = move_approval(actor=directors[0], minutes=minutes, at=at)
    edit_motion(
        actor=directors[0],
        motion=motion,
        subject="ordinary",
        title=motion.title,
        summary="Other.",
        text="We buy a boat.",
        at=at,
    )
    second_motion(actor=directors[1], motion=motion, at=at)
    with pytest.raises(Refusal, match=minutes.text_sha256):
        open_motion(actor=directors[0], motion=motion, deadline=at + 3 * DAY, at=at)
