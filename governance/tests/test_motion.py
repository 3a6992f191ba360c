"""A motion before its vote: drafted, seconded, opened; and what is frozen then."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from governance.actions.closing import reminder_time
from governance.actions.motion import (
    draft_motion,
    edit_motion,
    open_motion,
    second_motion,
    withdraw_motion,
)
from governance.actions.seat import end_term, seat_person
from governance.models import Body, Motion, RosterSeat, Seat, SeatTerm
from governance.motions import results
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, FOUNDED, HOUR, START, make_draft, make_rules, make_vote
from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import make_person

pytestmark = pytest.mark.django_db
WORDS: dict[str, Any] = {
    "subject": "ordinary",
    "title": "Other",
    "summary": "Other.",
    "text": "Other.",
}


def test_a_draft_is_read_by_its_body_alone(
    draft: Motion, directors: list[User], charlie: User, frank: User
) -> None:
    for person, sees in [(directors[3], True), (frank, True), (charlie, False)]:
        assert (draft in Motion.objects.visible_to(person, START)) is sees
    assert draft not in Motion.objects.public()


def test_only_who_votes_in_the_body_writes_for_it(board: Body, charlie: User) -> None:
    with pytest.raises(NotAllowed, match="voting seat"):
        make_draft(board, charlie, "Mine")


def test_a_draft_needs_rules_that_are_in_force(board: Body, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="no rules in force"):
        draft_motion(actor=directors[0], body=board, **(WORDS | {"subject": "bylaws"}), at=START)
    assert not Motion.objects.exists()


def test_addresses_are_told_apart(board: Body, directors: list[User]) -> None:
    titles = ["Buy it", "Buy it", "Buy it", "2026-31", "New", "!!!"]
    slugs = [make_draft(board, directors[0], title).slug for title in titles]
    assert slugs == ["buy-it", "buy-it-2", "buy-it-3", "motion-2026-31", "motion-new", "motion"]


def test_the_writer_changes_the_draft_and_nobody_else(draft: Motion, directors: list[User]) -> None:
    changed = edit_motion(actor=directors[0], motion=draft, **WORDS, at=START)
    assert changed.title == "Other"
    with pytest.raises(NotAllowed, match="Ada"):
        edit_motion(actor=directors[1], motion=draft, **WORDS, at=START)


def test_other_words_lose_the_second(draft: Motion, directors: list[User]) -> None:
    second_motion(actor=directors[1], motion=draft, at=START)
    same: dict[str, Any] = {"subject": "ordinary", "title": draft.title, "text": draft.text}
    kept = edit_motion(actor=directors[0], motion=draft, **same, summary="Shorter.", at=START)
    assert kept.seconded_by == directors[1]
    lost = edit_motion(actor=directors[0], motion=draft, **WORDS, at=START)
    assert lost.seconded_by is None


def test_who_may_second(draft: Motion, directors: list[User], charlie: User) -> None:
    with pytest.raises(NotAllowed, match="You proposed"):
        second_motion(actor=directors[0], motion=draft, at=START)
    with pytest.raises(NotAllowed, match="voting seat"):
        second_motion(actor=charlie, motion=draft, at=START)
    assert second_motion(actor=directors[1], motion=draft, at=START).seconded_at == START
    with pytest.raises(Refusal, match="Bea has seconded"):
        second_motion(actor=directors[2], motion=draft, at=START)


def test_a_vote_is_not_opened_without_a_second(draft: Motion, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="needs a second"):
        open_motion(actor=directors[0], motion=draft, deadline=START + DAY, at=START)


def test_a_body_may_do_without_a_second(board: Body, directors: list[User]) -> None:
    make_rules(board, seconds_needed=0)
    draft = make_draft(board, directors[0], "Quick")
    opened = open_motion(actor=directors[1], motion=draft, deadline=START + DAY, at=START)
    assert opened.state == Motion.State.OPEN


def test_rules_may_leave_opening_and_seconding_to_officers(
    board: Body, directors: list[User]
) -> None:
    make_rules(board, may_open="officers", may_second="officers")
    draft = make_draft(board, directors[1], "Theirs")
    with pytest.raises(NotAllowed, match="officers"):
        second_motion(actor=directors[2], motion=draft, at=START)
    second_motion(actor=directors[0], motion=draft, at=START)
    with pytest.raises(NotAllowed, match="officers"):
        open_motion(actor=directors[1], motion=draft, deadline=START + DAY, at=START)
    open_motion(actor=directors[0], motion=draft, deadline=START + DAY, at=START)


def test_an_officer_without_a_voting_seat_opens_nothing(
    board: Body, draft: Motion, directors: list[User], charlie: User
) -> None:
    make_rules(board, may_open="officers")
    adviser = board.seats.get(office=Seat.Office.ADVISER)
    seat_person(actor=None, seat=adviser, user=charlie, since=FOUNDED)
    second_motion(actor=directors[1], motion=draft, at=START)
    with pytest.raises(NotAllowed, match="voting seat"):
        open_motion(actor=charlie, motion=draft, deadline=START + DAY, at=START)


@pytest.mark.parametrize("hours", [-1, 0, 71])
def test_a_deadline_leaves_the_time_that_the_rules_ask(
    board: Body, directors: list[User], hours: int
) -> None:
    make_rules(board, minimum_hours=72, seconds_needed=0)
    draft = make_draft(board, directors[0], "Soon")
    with pytest.raises(Refusal, match="deadline must be after"):
        open_motion(actor=directors[0], motion=draft, deadline=START + hours * HOUR, at=START)
    open_motion(actor=directors[0], motion=draft, deadline=START + 72 * HOUR, at=START)


def test_a_vote_is_opened_once(motion: Motion, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="opened once"):
        open_motion(actor=directors[0], motion=motion, deadline=START + DAY, at=START)
    with pytest.raises(Refusal, match="left to second"):
        second_motion(actor=directors[2], motion=motion, at=START)
    with pytest.raises(Refusal, match="frozen"):
        edit_motion(actor=directors[0], motion=motion, **WORDS, at=START)


def test_a_body_without_anybody_cannot_vote(board: Body, directors: list[User]) -> None:
    draft = make_draft(board, directors[0], "Alone")
    second_motion(actor=directors[1], motion=draft, at=START)
    tomorrow = START + DAY
    for term in SeatTerm.objects.voting().filter(user__in=directors[1:]):
        end_term(actor=None, term=term, on=START.date())
    board.seats.filter(is_voting=True).update(until=tomorrow.date())
    with pytest.raises(NotAllowed):
        open_motion(actor=directors[1], motion=draft, deadline=tomorrow + DAY, at=tomorrow)
    with pytest.raises(Refusal, match="Nobody holds"):
        open_motion(actor=directors[0], motion=draft, deadline=tomorrow + DAY, at=tomorrow)


def test_the_roster_is_frozen_with_vacant_seats_and_the_chair(motion: Motion) -> None:
    roster = list(motion.roster.values_list("number", "name", "has_casting_vote"))
    assert roster == [
        (1, "Ada", True),
        (2, "Bea", False),
        (3, "Cyd", False),
        (4, "Dov", False),
        (5, "Eve", False),
        (6, "", False),
        (7, "", False),
    ]


def test_later_changes_of_seats_do_not_change_the_roster(
    board: Body, motion: Motion, directors: list[User], charlie: User
) -> None:
    tomorrow = (START + DAY).date()
    term = SeatTerm.objects.get(seat__number=2, user=directors[1])
    end_term(actor=None, term=term, on=tomorrow)
    seat_person(actor=None, seat=board.seats.get(number=2), user=charlie, since=tomorrow)
    assert motion.roster.get(number=2).user == directors[1]


def test_the_rules_of_the_day_are_pinned(board: Body, motion: Motion) -> None:
    make_rules(board, threshold="two_thirds")
    motion.refresh_from_db()
    assert motion.rule_set is not None
    assert (motion.rule_set.version, motion.rule_set.threshold) == (1, "strict")


def test_every_voter_gets_one_letter_at_the_opening(motion: Motion) -> None:
    letters = OutboxMail.objects.filter(key__startswith="motion_opened")
    assert sorted(letter.recipient for letter in letters) == [
        f"{name}@example.org" for name in ("ada", "bea", "cyd", "dov", "eve")
    ]
    letter = letters.get(recipient="bea@example.org")
    assert "Keep the key in a module" in letter.subject
    assert "You vote for seat 2" in letter.text
    assert motion.get_absolute_url() in letter.text


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Other."},
        {"deadline": START + 9 * DAY},
        {"rule_set": None},
        {"title": "Other"},
        {"papers": "Other"},
    ],
)
def test_the_database_keeps_an_opened_motion_as_it_is(
    motion: Motion, change: dict[str, object]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Motion.objects.filter(pk=motion.pk).update(**change)
    with pytest.raises((IntegrityError, ProtectedError)), transaction.atomic():
        Motion.objects.filter(pk=motion.pk).delete()


def test_the_database_keeps_the_roster_as_it_is(motion: Motion) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        RosterSeat.objects.filter(motion=motion, number=6).update(name="Mallory")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM governance_rosterseat WHERE number = 6")


def test_a_draft_and_an_open_vote_can_be_withdrawn_by_who_proposed(
    board: Body, draft: Motion, directors: list[User]
) -> None:
    with pytest.raises(NotAllowed, match="Ada"):
        withdraw_motion(actor=directors[1], motion=draft, at=START)
    assert withdraw_motion(actor=directors[0], motion=draft, at=START).withdrawn_at == START
    assert draft not in Motion.objects.public()
    with pytest.raises(Refusal, match="withdrawn already"):
        withdraw_motion(actor=directors[0], motion=draft, at=START)
    running = make_vote(board, directors, "Running")
    gone = withdraw_motion(actor=directors[0], motion=running, at=START + HOUR)
    assert gone.state == Motion.State.WITHDRAWN
    assert gone in Motion.objects.public()
    assert OutboxMail.objects.filter(key__startswith="motion_withdrawn").count() == 5


def test_what_is_over_cannot_be_withdrawn(motion: Motion, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="vote is over"):
        withdraw_motion(actor=directors[0], motion=motion, at=START + 3 * DAY)


def test_every_act_is_in_the_audit_log(motion: Motion, directors: list[User]) -> None:
    withdraw_motion(actor=directors[0], motion=motion, at=START + timedelta(hours=1))
    entries = AuditEntry.objects.filter(subject_kind="governance.motion").order_by("pk")
    assert [(entry.verb, str(entry.actor)) for entry in entries] == [
        ("motion.drafted", "Ada"),
        ("motion.seconded", "Bea"),
        ("motion.opened", "Ada"),
        ("motion.withdrawn", "Ada"),
    ]


def test_a_resolution_number_and_a_name_find_the_motion(motion: Motion) -> None:
    assert Motion.objects.by_reference(motion.slug).get() == motion
    for unknown in ("2026-31", "99999999999-1", "1-99999999999", "2026-", "nothing"):
        assert not Motion.objects.by_reference(unknown).exists()


def test_a_draft_has_neither_arithmetic_nor_reminder(draft: Motion) -> None:
    with pytest.raises(ValueError, match="never opened"):
        results.report(draft)
    with pytest.raises(ValueError, match="no deadline"):
        reminder_time(draft)


def test_a_person_without_a_grant_of_the_body_sees_no_drafts(draft: Motion) -> None:
    assert draft not in Motion.objects.visible_to(make_person("zed"), START)
