"""The notice before a meeting that the rules ask for, and the reason for a shorter one."""

from datetime import timedelta

import pytest
from django.utils import timezone

from governance.actions.meeting import ShortNotice, announce_meeting, plan_meeting
from governance.meetings import notice
from governance.models import Body, Meeting
from governance.rules.explained import topics
from governance.tests.conftest import DAY, START, make_rules
from governance.tests.meeting_cast import plan_of
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def meeting(board: Body, directors: list[User]) -> Meeting:
    """In ten days, for a board whose rules ask for fourteen days of notice."""
    make_rules(board, meeting_notice_days=14, meeting_clause="Bylaw 5.3")
    return plan_meeting(actor=directors[0], body=board, plan=plan_of(10), at=START)


def test_a_short_notice_needs_a_reason_that_everybody_reads(
    meeting: Meeting, directors: list[User]
) -> None:
    with pytest.raises(ShortNotice, match=r"14 days of notice \(Bylaw 5.3\); .* has 10 days"):
        announce_meeting(actor=directors[0], meeting=meeting, at=START)
    reason = "Everybody agreed in writing."
    told = announce_meeting(
        actor=directors[0], meeting=meeting, short_notice_because=reason, at=START
    )
    assert told.short_notice_because == reason
    page = sign_in(directors[1]).get(meeting.get_absolute_url()).content.decode()
    assert reason in page
    assert "shorter than the 14 of the rules" in page


def test_enough_notice_keeps_no_reason(board: Body, directors: list[User]) -> None:
    make_rules(board, meeting_notice_days=10)
    meeting = plan_meeting(actor=directors[0], body=board, plan=plan_of(10), at=START)
    told = announce_meeting(
        actor=directors[0], meeting=meeting, short_notice_because="Nothing.", at=START
    )
    assert told.short_notice_because == ""
    assert notice.shown(told, START) == notice.Notice(10, 10, "")


def test_a_meeting_that_is_over_is_made_known_without_notice(
    board: Body, directors: list[User]
) -> None:
    make_rules(board, meeting_notice_days=14)
    held = plan_meeting(actor=directors[0], body=board, plan=plan_of(-3), at=START - 9 * DAY)
    told = announce_meeting(actor=directors[0], meeting=held, at=START)
    assert notice.shown(told, START) is None


def test_the_pages_say_how_long_before(meeting: Meeting, directors: list[User]) -> None:
    chair = sign_in(directors[0])
    desk = " ".join(chair.get(meeting.get_absolute_url()).content.decode().split())
    assert "10 of the 14 days of notice that the rules ask for. Bylaw 5.3" in desk
    refused = chair.post(f"{meeting.get_absolute_url()}announce/", follow=True)
    assert "Choose a later day, or say why" in refused.content.decode()
    sent = {"short_notice_because": "A deadline."}
    done = chair.post(f"{meeting.get_absolute_url()}announce/", sent, follow=True)
    assert "The meeting is announced." in done.content.decode()
    form = chair.get("/governance/meetings/new/?body=board").content.decode()
    assert "14 days of notice by the rules (Bylaw 5.3), so from" in form


def test_a_longer_notice_moves_what_the_form_offers(board: Body, directors: list[User]) -> None:
    make_rules(board, meeting_notice_days=30)
    form = sign_in(directors[0]).get("/governance/meetings/new/").content.decode()
    assert f'value="{timezone.localdate() + timedelta(days=30)}T14:00"' in form


def test_rules_say_it_in_words(board: Body) -> None:
    def said(**rules: object) -> list[str]:
        found = topics(make_rules(board, meeting_clause="Bylaw 5.3", **rules))
        return [line for topic in found if topic.title == "Meetings" for line in topic.sentences]

    assert said() == []
    assert said(meeting_notice_days=1) == [
        "A meeting is announced at least 1 day before it.",
        "In a meeting only those who are there vote.",
    ]
    assert "by a proxy" in said(absent_may_vote=True)[0]
    assert said(meeting_notice_days=3, quorum_base="eligible") == []
