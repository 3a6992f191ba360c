"""Action items: given, done, dropped, moved; reminded of; seen by whom."""

from datetime import timedelta

import pytest

from governance.actions.action_item import (
    drop_action_item,
    finish_action_item,
    give_action_item,
    move_due_date,
    remind_due,
    reopen_action_item,
)
from governance.models import ActionItem, Body, Meeting
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, START
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.shared import shared

pytestmark = pytest.mark.django_db
TODAY = START.date()
DUE = TODAY + timedelta(days=14)


@shared
def meeting(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board, days=-20)


@shared
def item(meeting: Meeting, directors: list[User]) -> ActionItem:
    """Bea is to publish the budget in two weeks."""
    return give_action_item(
        actor=directors[0],
        meeting=meeting,
        text="Publish  the budget",
        owner=directors[1],
        due=DUE,
        agenda_item=meeting.agenda.earliest("position"),
        at=START,
    )


def letters(template: str) -> int:
    return OutboxMail.objects.filter(key__startswith=f"{template}:").count()


def test_who_it_is_given_to_gets_a_letter(item: ActionItem) -> None:
    assert (item.text, item.owner_name) == ("Publish the budget", "Bea")
    assert item.state(TODAY) == ActionItem.State.OPEN
    letter = OutboxMail.objects.get(key__startswith="action_assigned")
    assert letter.recipient == "bea@example.org"
    assert "Publish the budget" in letter.text


def test_it_names_who_and_what(meeting: Meeting, directors: list[User]) -> None:
    for words in ({"text": "Call", "owner_name": " "}, {"text": " ", "owner_name": "Sam"}):
        with pytest.raises(Refusal, match="who does it"):
            give_action_item(actor=directors[0], meeting=meeting, at=START, **words)  # type: ignore[arg-type]
    with pytest.raises(NotAllowed):
        give_action_item(actor=directors[1], meeting=meeting, text="A", owner_name="B", at=START)
    give_action_item(actor=directors[0], meeting=meeting, text="A", owner_name="B", at=START)
    assert letters("action_assigned") == 0


def test_the_owner_and_the_chair_say_that_it_is_done(
    item: ActionItem, directors: list[User], charlie: User
) -> None:
    with pytest.raises(NotAllowed, match="Only Bea, the chair"):
        finish_action_item(actor=charlie, item=item, at=START)
    done = finish_action_item(actor=directors[1], item=item, at=START)
    assert (done.done_at, done.done_by) == (START, directors[1])
    assert done.state(TODAY) == ActionItem.State.DONE
    again = finish_action_item(actor=directors[0], item=item, at=START + DAY)
    assert again.done_at == START
    with pytest.raises(Refusal, match="done already"):
        drop_action_item(actor=directors[0], item=item, reason="Why not", at=START)
    opened = reopen_action_item(actor=directors[0], item=item, at=START)
    assert opened.state(TODAY) == ActionItem.State.OPEN


def test_it_is_dropped_with_a_reason(item: ActionItem, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="Say why"):
        drop_action_item(actor=directors[0], item=item, reason=" ", at=START)
    dropped = drop_action_item(actor=directors[0], item=item, reason="No budget.", at=START)
    assert dropped.state(TODAY) == ActionItem.State.DROPPED
    with pytest.raises(Refusal, match="No budget"):
        finish_action_item(actor=directors[0], item=item, at=START)


def test_reminders_before_and_after_the_day_each_once(
    item: ActionItem, directors: list[User]
) -> None:
    day = START + (DUE - TODAY)
    assert remind_due(at=day - 4 * DAY) == 0
    for moment in (day - 3 * DAY, day - 2 * DAY, day):
        assert remind_due(at=moment) == 1
    assert (letters("action_due"), letters("action_overdue")) == (1, 0)
    assert item.state((day + DAY).date()) == ActionItem.State.OVERDUE
    for moment in (day + DAY, day + 2 * DAY):
        remind_due(at=moment)
    assert (letters("action_due"), letters("action_overdue")) == (1, 1)
    assert remind_due(at=day + 9 * DAY) == 0
    moved = move_due_date(actor=directors[0], item=item, due=DUE + timedelta(days=7), at=day)
    remind_due(at=day + 6 * DAY)
    assert letters("action_due") == 2
    finish_action_item(actor=directors[1], item=moved, at=day)
    assert remind_due(at=day + 7 * DAY) == 0


def test_everybody_sees_them_when_the_minutes_stand(
    meeting: Meeting, item: ActionItem, directors: list[User], charlie: User, frank: User
) -> None:
    seen = ActionItem.objects.visible_to
    assert [item in seen(who, START) for who in (directors[2], frank, charlie)] == [
        True,
        True,
        False,
    ]
    hold(meeting, directors)
    approve(submit(meeting, directors[0]), directors)
    assert item in seen(charlie, START)
    meeting.agenda.update(is_closed=True)
    assert item not in seen(charlie, START)
    assert item in seen(directors[2], START)


def test_the_list_is_ordered_by_the_day(meeting: Meeting, directors: list[User]) -> None:
    for text, due in (("never", None), ("later", DUE), ("sooner", TODAY - timedelta(days=1))):
        give_action_item(
            actor=directors[0], meeting=meeting, text=text, owner_name="B", due=due, at=START
        )
    listed = ActionItem.objects.by_due_date()
    assert [item.text for item in listed] == ["sooner", "later", "never"]
    assert [item.text for item in listed.overdue(TODAY)] == ["sooner"]
