"""Votes that are over: counted once, numbered without gap; and reminders before."""

from typing import Any

import pytest
from django.test import Client

from governance import tasks
from governance.actions.closing import close_due, close_motion, remind_due
from governance.actions.motion import withdraw_motion
from governance.models import Body, Motion, RuleSet
from governance.motions import results
from governance.tests.conftest import (
    DAY,
    HOUR,
    START,
    CastVotes,
    make_decided,
    make_rules,
    make_vote,
)
from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail

pytestmark = pytest.mark.django_db
DEADLINE = START + 3 * DAY


def test_a_vote_is_counted_at_its_deadline_and_not_before(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="yes", cyd="yes", dov="abstain", eve="recuse")
    assert close_due(at=DEADLINE - HOUR) == 0
    assert not close_motion(motion_id=motion.pk, at=DEADLINE - HOUR)
    assert close_due(at=DEADLINE) == 1
    motion.refresh_from_db()
    assert motion.state == Motion.State.ADOPTED
    assert motion.resolution == f"{DEADLINE.year}-01"


def test_closing_again_changes_nothing(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="yes", cyd="yes", dov="yes")
    close_due(at=DEADLINE)
    letters = OutboxMail.objects.count()
    assert close_due(at=DEADLINE + DAY) == 0
    assert not close_motion(motion_id=motion.pk, at=DEADLINE + DAY)
    assert OutboxMail.objects.count() == letters
    assert AuditEntry.objects.filter(verb="motion.closed").count() == 1


def test_a_late_sweep_dates_the_decision_to_the_deadline(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="yes", cyd="yes", dov="yes")
    close_due(at=DEADLINE + 40 * DAY)
    motion.refresh_from_db()
    assert motion.decided_at == DEADLINE


@pytest.mark.parametrize(
    ("votes", "state"),
    [
        ({"ada": "yes", "bea": "yes", "cyd": "no", "dov": "no"}, Motion.State.FAILED),
        ({"ada": "yes", "bea": "yes", "cyd": "yes"}, Motion.State.VOID),
        ({}, Motion.State.VOID),
    ],
)
def test_what_is_not_carried_gets_no_number(
    motion: Motion, vote: CastVotes, votes: dict[str, str], state: str
) -> None:
    vote(**votes)
    close_due(at=DEADLINE)
    motion.refresh_from_db()
    assert (motion.state, motion.number) == (state, None)


def test_resolutions_are_numbered_by_year_without_gap(board: Body, directors: list[User]) -> None:
    carried, lost = dict.fromkeys(range(4), "yes"), dict.fromkeys(range(4), "no")
    first = make_decided(board, directors, "First", carried, days_ago=20)
    make_decided(board, directors, "Lost", lost, days_ago=18)
    second = make_decided(board, directors, "Second", carried, days_ago=16)
    long_ago = make_decided(board, directors, "Old", carried, days_ago=366)
    years = {first.year, second.year}
    assert (first.number, second.number) == ((1, 2) if len(years) == 1 else (1, 1))
    assert long_ago.number == 1
    resolutions = list(Motion.objects.resolutions(START))
    assert resolutions == [second, first, long_ago]


def test_every_voter_gets_the_result_with_its_numbers(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="yes", cyd="yes", dov="abstain", eve="recuse")
    close_due(at=DEADLINE)
    letters = OutboxMail.objects.filter(key__startswith="motion_result")
    assert letters.count() == 5
    letter = letters[0]
    assert letter.subject == "Carried: Keep the key in a module"
    assert "Yes 3, no 0, abstentions 1, recused 1, absent 0." in letter.text
    assert "Quorum 4, present 5. Yes votes needed 3, got 3." in letter.text
    assert f"/governance/motions/{DEADLINE.year}-01/" in letter.text


def test_who_has_not_voted_is_reminded_once_in_the_last_day(
    motion: Motion, vote: CastVotes
) -> None:
    vote(ada="yes", bea="recuse")
    assert remind_due(at=DEADLINE - 25 * HOUR) == 0
    assert remind_due(at=DEADLINE - 20 * HOUR) == 1
    assert remind_due(at=DEADLINE - 10 * HOUR) == 0
    letters = OutboxMail.objects.filter(key__startswith="motion_reminder")
    assert sorted(letter.recipient.split("@")[0] for letter in letters) == ["cyd", "dov", "eve"]
    assert "counts as absent" in letters[0].text


def test_a_short_vote_reminds_at_its_half(board: Body, directors: list[User]) -> None:
    make_vote(board, directors, "Short", days=1)
    assert remind_due(at=START + 11 * HOUR) == 0
    assert remind_due(at=START + 12 * HOUR) == 1


def test_a_reminder_that_comes_too_late_is_not_sent(motion: Motion) -> None:
    assert remind_due(at=DEADLINE) == 0
    assert not OutboxMail.objects.filter(key__startswith="motion_reminder").exists()


def test_a_withdrawn_vote_is_neither_counted_nor_reminded(
    motion: Motion, directors: list[User]
) -> None:
    withdraw_motion(actor=directors[0], motion=motion, at=START + HOUR)
    assert remind_due(at=DEADLINE - HOUR) == 0
    assert close_due(at=DEADLINE) == 0


def test_being_decided_lists_open_votes_by_their_deadline(
    board: Body, directors: list[User]
) -> None:
    later = make_vote(board, directors, "Later", days=5)
    sooner = make_vote(board, directors, "Sooner", days=2)
    assert list(Motion.objects.being_decided(START)) == [sooner, later]
    assert list(Motion.objects.being_decided(START + 3 * DAY)) == [later]
    assert list(Motion.objects.being_decided(START - HOUR)) == []


def test_a_motion_that_cannot_be_counted_stops_neither_the_sweep_nor_a_page(
    board: Body, directors: list[User], client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    RuleSet.objects.filter(body=board).update(threshold="gone")  # a word the tally does not know
    broken = make_vote(board, directors, "Broken", at=START - 5 * DAY)
    make_rules(board)
    sound = make_vote(board, directors, "Sound", at=START - 4 * DAY)
    page = client.get("/governance/motions/")
    assert page.status_code == 200
    sound.refresh_from_db()
    broken.refresh_from_db()
    assert (sound.state, broken.state) == (Motion.State.VOID, Motion.State.OPEN)
    assert f"motion {broken.pk} could not be moved on" in caplog.text


def test_the_tasks_sweep(board: Body, directors: list[User]) -> None:
    make_rules(board, seconds_needed=0)
    over = make_vote(board, directors, "Over", at=START - 4 * DAY)
    ending = make_vote(board, directors, "Ending", at=START - 2.5 * DAY)
    tasks.close_due()
    tasks.remind_due()
    tasks.correct_seat_roles()
    over.refresh_from_db()
    ending.refresh_from_db()
    assert over.state == Motion.State.VOID
    assert ending.reminded_at is not None


def test_a_count_asks_for_all_votes_at_once(
    motion: Motion, vote: CastVotes, django_assert_num_queries: Any
) -> None:
    vote(ada="yes", bea="no", cyd="abstain")
    fresh = Motion.objects.get(pk=motion.pk)
    with django_assert_num_queries(2):
        assert results.count(fresh).yes == 1
