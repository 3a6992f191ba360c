"""What waits for a person, gathered from every part of governance."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from governance.actions.action_item import finish_action_item, give_action_item
from governance.actions.amendment import propose_amendment
from governance.actions.consensus import call_consensus, take_position
from governance.actions.meeting import cancel_meeting
from governance.actions.motion import second_motion
from governance.actions.typo import report_typo
from governance.models import Body, Motion, Position
from governance.tests.bylaws import TEXT, discuss, make_bylaws, make_proposal, make_version
from governance.tests.conftest import DAY, HOUR, START, CastVotes, make_draft, make_rules, make_vote
from governance.tests.council import make_council
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from governance.tests.written import in_writing, make_consent, sign
from governance.waiting.everything import waiting_for
from governance.waiting.waiting import Waiting
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


def acts(user: User, at: datetime = START + 2 * HOUR) -> list[str]:
    return [each.act for each in waiting_for(user, at)]


def only(user: User, at: datetime = START + 2 * HOUR) -> Waiting:
    [found] = waiting_for(user, at)
    return found


def test_a_vote_waits_until_it_is_given(
    motion: Motion, directors: list[User], vote: CastVotes
) -> None:
    waiting = only(directors[1])
    assert (waiting.act, waiting.until) == ("Vote", motion.deadline)
    assert waiting.url == motion.get_absolute_url()
    vote(bea="yes")
    assert acts(directors[1]) == []


def test_what_one_took_on_waits_until_it_is_done_what_ends_first_at_the_top(
    board: Body, directors: list[User]
) -> None:
    chair, bea = directors[:2]
    meeting = make_meeting(chair, board, days=-20)
    items = [
        give_action_item(
            actor=chair, meeting=meeting, text=text, owner=bea, due=due, at=START - 10 * DAY
        )
        for text, due in [("Some day", None), ("Soon", START.date() + timedelta(days=2))]
    ]
    [soon, some_day] = waiting_for(bea, START)
    assert (soon.act, soon.title, soon.place) == ("Tell that it is done", "Soon", "Board")
    assert soon.url == "/governance/actions/?mine=yes"
    assert soon.until == datetime.combine(START.date(), time.min, tzinfo=UTC) + 3 * DAY
    assert (some_day.title, some_day.until) == ("Some day", None)
    for item in items:
        finish_action_item(actor=bea, item=item, at=START)
    assert acts(bea) == []


def test_minutes_wait_for_the_officer_and_then_for_who_votes(
    board: Body, directors: list[User]
) -> None:
    chair, bea = directors[:2]
    meeting = make_meeting(chair, board, days=-3)
    waiting = only(chair)
    assert (waiting.act, waiting.url) == (
        "Keep the record",
        f"{meeting.get_absolute_url()}attendance/",
    )
    assert "Nobody is on the roll yet" in waiting.note
    assert acts(bea) == []
    hold(meeting, directors)
    waiting = only(chair)
    assert (waiting.act, waiting.url) == (
        "Submit the minutes",
        f"{meeting.get_absolute_url()}minutes/",
    )
    minutes = submit(meeting, chair)
    assert only(bea).url == f"{minutes.get_absolute_url()}#approval"
    assert acts(chair) == ["Read them, move the approval"]
    approve(minutes, directors, choice="no")
    assert acts(chair, START + 8 * DAY) == ["Correct the minutes"]
    assert acts(bea, START + 8 * DAY) == []


def test_minutes_of_a_meeting_that_was_cancelled_or_is_long_past_wait_for_nobody(
    board: Body, directors: list[User]
) -> None:
    meeting = make_meeting(directors[0], board, days=10)
    assert acts(directors[0], meeting.begins_at) == []
    assert acts(directors[0], meeting.ends_at + HOUR) == ["Keep the record"]
    assert acts(directors[0], meeting.ends_at + 366 * DAY) == []
    cancel_meeting(actor=directors[0], meeting=meeting, reason="Ill.", at=START)
    assert acts(directors[0], meeting.ends_at + HOUR) == []


def test_a_signature_waits_until_it_is_given(board: Body, directors: list[User]) -> None:
    in_writing(board)
    consent = make_consent(board, directors)
    waiting = only(directors[2])
    assert (waiting.act, waiting.until) == ("Read and sign", consent.deadline)
    assert waiting.url.endswith("/sign/")
    sign(consent, directors[2])
    assert acts(directors[2]) == []
    assert acts(directors[3], consent.deadline + HOUR) == []


def test_a_position_waits_of_advisers_too() -> None:
    people = make_council()
    draft = make_draft(Body.objects.get(slug="council"), people[0], "Drop it")
    second_motion(actor=people[1], motion=draft, at=START)
    called = call_consensus(actor=people[0], motion=draft, ends_at=START + DAY, at=START)
    assert only(people[4]).act == "Say what you think"
    assert only(people[4]).until == called.ends_at
    stance = Position.Stance.ACCEPT
    take_position(actor=people[4], consensus=called, stance=stance, at=START + HOUR)
    assert acts(people[4]) == []


def test_a_draft_waits_for_a_second_and_then_for_its_author(
    board: Body, directors: list[User], draft: Motion
) -> None:
    assert acts(directors[0]) == []
    waiting = only(directors[1])
    assert (waiting.act, waiting.note) == ("Second it?", "Proposed by Ada.")
    second_motion(actor=directors[1], motion=draft, at=START)
    assert acts(directors[2]) == []
    assert acts(directors[0]) == ["Open the vote"]
    make_rules(board, discussion_days=5)
    assert acts(directors[0]) == ["Open the discussion"]


def test_an_amendment_waits_for_the_author_of_the_text(
    discussed: Motion, directors: list[User]
) -> None:
    propose_amendment(
        actor=directors[2],
        motion=discussed,
        passage="two",
        replacement="three",
        reason="One more.",
        at=START + HOUR,
    )
    waiting = waiting_for(directors[0], START + 2 * HOUR)
    assert {each.act for each in waiting} == {"Accept or reject", "Open the vote"}
    assert waiting[0].note == "Amendment 1 by Cyd."


def test_a_proposal_that_was_overtaken_waits_for_its_author(
    board: Body, directors: list[User]
) -> None:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    proposal = discuss(make_proposal(bylaws, directors[0]), directors)
    make_version(bylaws, TEXT.replace("two years", "three years"))
    waiting = only(directors[0])
    assert waiting.act == "Bring it up to date"
    assert waiting.title == proposal.motion.title


def test_a_slip_waits_for_an_officer_who_did_not_report_it(
    board: Body, directors: list[User]
) -> None:
    version = make_version(make_bylaws(board))
    slip = {"clause": "c4.2", "wrong": "come form", "right": "come from"}
    report_typo(actor=directors[1], version=version, at=START, **slip)
    assert only(directors[0]).note == "“come form” should read “come from”."
    assert acts(directors[1]) == []


def test_what_ends_first_comes_first_and_the_pages_list_it(
    board: Body, directors: list[User], client: Client
) -> None:
    in_writing(board)
    motion = make_vote(board, directors, "Keep the key in a module")
    make_consent(board, directors)
    make_draft(board, directors[1], "Later")
    assert acts(directors[0]) == ["Vote", "Read and sign", "Second it?"]
    ada = sign_in(directors[0])
    for path in ("/governance/own/", "/governance/"):
        page = ada.get(path).content.decode()
        assert "Waiting for you" in page
        assert f'href="{motion.get_absolute_url()}"' in page
    assert "Waiting for you" not in client.get("/governance/").content.decode()


def test_the_overview_names_all_that_is_being_decided(
    board: Body, directors: list[User], client: Client
) -> None:
    in_writing(board)
    motion = make_vote(board, directors, "Keep the key in a module")
    make_consent(board, directors)
    page = client.get("/governance/").content.decode()
    begin = page.index('id="being-decided"')
    decided = page[begin : page.index('id="resolutions"')]
    assert motion.title in decided
    assert "Being signed" in decided
    assert "0 of 5 have signed" in decided
    assert "5 needed" in decided


def test_who_sits_there_sees_on_what_consensus_is_sought(client: Client) -> None:
    people = make_council()
    draft = make_draft(Body.objects.get(slug="council"), people[0], "Drop it")
    second_motion(actor=people[1], motion=draft, at=START)
    called = call_consensus(
        actor=people[0], motion=draft, ends_at=timezone.now() + DAY, at=START - HOUR
    )
    stance = Position.Stance.OBJECT
    take_position(actor=people[1], consensus=called, stance=stance, reason="No.")
    page = sign_in(people[0]).get("/governance/").content.decode()
    assert "Consensus sought" in page
    assert "1 of 4 have spoken" in page
    assert "1 object" in page
    assert "Consensus sought" not in client.get("/governance/").content.decode()


def test_nothing_waits_for_a_stranger(charlie: User, motion: Motion) -> None:
    page = sign_in(charlie).get("/governance/own/").content.decode()
    assert "Nothing waits for you now." in page
