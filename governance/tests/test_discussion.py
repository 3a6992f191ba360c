"""A motion between its draft and its vote: discussed in public, held, taken up again."""

from typing import Any

import pytest

from governance.actions.amendment import accept_amendment, propose_amendment
from governance.actions.amendment_vote import put_amendment
from governance.actions.discussion import (
    hold_motion,
    lapse_due,
    lapse_motion,
    open_discussion,
    resume_motion,
)
from governance.actions.motion import edit_motion, open_motion, second_motion, withdraw_motion
from governance.actions.motion_comment import comment_on_motion, hide_motion_comment
from governance.actions.seat import seat_person
from governance.discussion.clock import vote_from
from governance.models import Body, Motion, Seat
from governance.motions import history
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import (
    DAY,
    HOUR,
    SEATED,
    START,
    make_discussion,
    make_draft,
    make_rules,
)
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import make_person

pytestmark = pytest.mark.django_db
WORDS: dict[str, Any] = {
    "subject": "ordinary",
    "title": "Other",
    "summary": "Other.",
    "text": "Other.",
}


def test_a_discussion_makes_the_motion_public_and_tells_the_body(
    draft: Motion, directors: list[User], charlie: User
) -> None:
    second_motion(actor=directors[1], motion=draft, at=START)
    assert draft not in Motion.objects.visible_to(charlie, START)
    opened = open_discussion(actor=directors[0], motion=draft, at=START)
    assert opened.state == Motion.State.DISCUSSION
    assert opened in Motion.objects.visible_to(charlie, START)
    assert opened in Motion.objects.public()
    letters = OutboxMail.objects.filter(key__startswith="motion_discussion")
    assert letters.count() == 5  # Ada sits twice and gets one
    assert "opened the discussion" in letters[0].text
    with pytest.raises(Refusal, match="opened once"):
        open_discussion(actor=directors[0], motion=draft, at=START)


def test_a_discussion_needs_its_second(draft: Motion, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="needs a second"):
        open_discussion(actor=directors[0], motion=draft, at=START)


def test_the_text_of_a_discussion_changes_by_amendments_only(
    discussed: Motion, directors: list[User]
) -> None:
    with pytest.raises(Refusal, match="by amendments"):
        edit_motion(actor=directors[0], motion=discussed, **WORDS, at=START)


def test_who_sits_in_the_body_speaks_and_others_read(
    board: Body, discussed: Motion, directors: list[User], charlie: User, frank: User
) -> None:
    adviser = make_person("zoe")
    seat = board.seats.get(office=Seat.Office.ADVISER)
    seat_person(actor=None, seat=seat, user=adviser, since=SEATED)
    for person in (directors[3], adviser, frank):
        comment_on_motion(actor=person, motion=discussed, text="I think so.", at=START + HOUR)
    with pytest.raises(NotAllowed, match="Everybody reads"):
        comment_on_motion(actor=charlie, motion=discussed, text="Me too.", at=START + HOUR)
    assert discussed.comments.count() == 3
    discussed.refresh_from_db()
    assert discussed.active_at == START + HOUR


def test_a_draft_and_a_decision_are_not_talked_about(draft: Motion, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="not being discussed"):
        comment_on_motion(actor=directors[0], motion=draft, text="Hm.", at=START)


def test_the_keeper_of_the_record_hides_a_comment(
    discussed: Motion, directors: list[User], frank: User
) -> None:
    comment = comment_on_motion(actor=directors[1], motion=discussed, text="Rude.", at=START)
    with pytest.raises(NotAllowed, match="secretary"):
        hide_motion_comment(actor=directors[2], comment=comment, because="Rude.", at=START)
    assert hide_motion_comment(actor=frank, comment=comment, because="Rude.", at=START).is_hidden


def test_days_on_hold_do_not_count(discussed: Motion, directors: list[User]) -> None:
    ada = directors[0]
    with pytest.raises(Refusal, match="what it waits for"):
        hold_motion(actor=ada, motion=discussed, because=" ", at=START + DAY)
    held = hold_motion(actor=ada, motion=discussed, because="An offer.", at=START + DAY)
    assert held.state == Motion.State.ON_HOLD
    with pytest.raises(Refusal, match="on hold"):
        open_motion(actor=ada, motion=held, deadline=START + 9 * DAY, at=START + DAY)
    with pytest.raises(Refusal, match="draft or a discussion"):
        hold_motion(actor=ada, motion=held, because="Again.", at=START + DAY)
    resumed = resume_motion(actor=ada, motion=held, at=START + 4 * DAY)
    assert resumed.state == Motion.State.DISCUSSION
    assert resumed.clock_from == START + 3 * DAY
    assert resumed.active_at == START + 4 * DAY
    with pytest.raises(Refusal, match="not on hold"):
        resume_motion(actor=ada, motion=resumed, at=START + 4 * DAY)
    told = [event.text for event in history.events(resumed)]
    assert told[:2] == ["Taken up again by Ada.", "Put on hold by Ada: An offer."]


def test_a_draft_is_held_and_stays_private(
    draft: Motion, directors: list[User], frank: User, charlie: User
) -> None:
    with pytest.raises(NotAllowed, match="Ada, who proposed it"):
        hold_motion(actor=directors[2], motion=draft, because="Mine.", at=START)
    held = hold_motion(actor=frank, motion=draft, because="Budget.", at=START)
    assert held not in Motion.objects.visible_to(charlie, START)
    resumed = resume_motion(actor=frank, motion=held, at=START + DAY)
    assert (resumed.state, resumed.clock_from) == (Motion.State.DRAFT, None)


def test_a_discussion_leads_to_the_vote(discussed: Motion, directors: list[User]) -> None:
    opened = open_motion(
        actor=directors[0], motion=discussed, deadline=START + 3 * DAY, at=START + HOUR
    )
    assert opened.state == Motion.State.OPEN
    comment_on_motion(actor=directors[1], motion=opened, text="Vote yes.", at=START + 2 * HOUR)


def test_a_motion_waits_for_the_vote_on_its_amendment(board: Body, directors: list[User]) -> None:
    motion = make_discussion(board, directors)
    amendment = propose_amendment(
        actor=directors[1],
        motion=motion,
        passage="two",
        replacement="three",
        reason="One more.",
        at=START,
    )
    put_amendment(actor=directors[0], amendment=amendment, deadline=START + DAY, at=START)
    waits = pytest.raises(Refusal, match="vote on amendment 1 runs")
    with waits:
        open_motion(actor=directors[0], motion=motion, deadline=START + DAY, at=START)
    with waits:
        hold_motion(actor=directors[0], motion=motion, because="Why.", at=START)
    with waits:
        withdraw_motion(actor=directors[0], motion=motion, at=START)


def test_a_motion_may_need_several_seconds(board: Body, directors: list[User]) -> None:
    make_rules(board, seconds_needed=2)
    draft = make_draft(board, directors[0], "Two of you")
    once = second_motion(actor=directors[1], motion=draft, at=START)
    assert once.seconded_by is None
    with pytest.raises(Refusal, match="It needs 1 more second"):
        open_discussion(actor=directors[0], motion=draft, at=START)
    with pytest.raises(Refusal, match="You have seconded it already"):
        second_motion(actor=directors[1], motion=draft, at=START)
    twice = second_motion(actor=directors[2], motion=draft, at=START)
    assert twice.seconded_by == directors[2]
    assert open_discussion(actor=directors[0], motion=draft, at=START).discussed_at == START


def test_the_vote_waits_for_the_days_of_discussion(board: Body, directors: list[User]) -> None:
    make_rules(board, discussion_days=7)
    draft = make_draft(board, directors[0], "Slowly")
    second_motion(actor=directors[1], motion=draft, at=START)
    deadline = START + 30 * DAY
    with pytest.raises(Refusal, match="discussed first"):
        open_motion(actor=directors[0], motion=draft, deadline=deadline, at=START)
    open_discussion(actor=directors[0], motion=draft, at=START)
    with pytest.raises(Refusal, match="It is discussed until"):
        open_motion(actor=directors[0], motion=draft, deadline=deadline, at=START + 6 * DAY)
    open_motion(actor=directors[0], motion=draft, deadline=deadline, at=START + 7 * DAY)


@pytest.mark.parametrize(("restarts", "days"), [(True, 10), (False, 7)])
def test_an_accepted_amendment_restarts_the_days_if_the_rules_say_so(
    board: Body, directors: list[User], restarts: bool, days: int
) -> None:
    rules = make_rules(board, discussion_days=7, discussion_restarts=restarts)
    motion = make_discussion(board, directors)
    amendment = propose_amendment(
        actor=directors[1],
        motion=motion,
        passage="two",
        replacement="three",
        reason="More.",
        at=START,
    )
    accept_amendment(actor=directors[0], amendment=amendment, at=START + 3 * DAY)
    motion.refresh_from_db()
    assert vote_from(motion, rules) == START + days * DAY


def test_what_nobody_touches_lapses(board: Body, directors: list[User], charlie: User) -> None:
    make_rules(board, lapses_after_weeks=2)
    motion = make_discussion(board, directors)
    comment_on_motion(actor=directors[1], motion=motion, text="Still here.", at=START + 7 * DAY)
    assert lapse_due(at=START + 15 * DAY) == 0
    assert lapse_due(at=START + 21 * DAY) == 1
    assert lapse_due(at=START + 22 * DAY) == 0
    motion.refresh_from_db()
    assert motion.state == Motion.State.LAPSED
    assert OutboxMail.objects.get(key__startswith="motion_lapsed").recipient == "ada@example.org"
    assert motion in Motion.objects.visible_to(charlie, START)
    with pytest.raises(Refusal, match="lapsed already"):
        withdraw_motion(actor=directors[0], motion=motion)
    with pytest.raises(Refusal, match="not being discussed"):
        comment_on_motion(actor=directors[0], motion=motion, text="Wait!")
    assert history.events(motion)[0].text.startswith("Lapsed")


def test_neither_a_hold_nor_rules_without_weeks_lapse(
    board: Body, discussed: Motion, directors: list[User]
) -> None:
    assert lapse_due(at=START + 900 * DAY) == 0
    make_rules(board, lapses_after_weeks=2)
    hold_motion(actor=directors[0], motion=discussed, because="Wait.", at=START)
    assert lapse_due(at=START + 900 * DAY) == 0
    assert not lapse_motion(motion_id=discussed.pk, at=START + 900 * DAY)
