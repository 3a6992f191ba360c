"""Arranging an agenda: added, changed, moved, taken off; motions gathered."""

import pytest

from governance.actions.agenda import (
    Point,
    add_item,
    change_item,
    gather_motions,
    move_item,
    remove_item,
)
from governance.actions.body import save_body
from governance.actions.meeting import cancel_meeting
from governance.models import AgendaItem, Body, Meeting, Motion
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, FOUNDED, START, make_draft
from governance.tests.meeting_cast import hold, make_meeting, submit
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def meeting(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board)


def titles(meeting: Meeting) -> list[str]:
    rows = meeting.agenda.order_by("position")
    assert [item.position for item in rows] == list(range(1, len(rows) + 1))
    return [item.title for item in rows]


def test_items_are_added_changed_moved_and_taken_off(
    meeting: Meeting, directors: list[User]
) -> None:
    chair = directors[0]
    budget = add_item(actor=chair, meeting=meeting, point=Point("Budget"), at=START)
    opening, other = "Opening, attendance and quorum", "Any other business"
    assert titles(meeting) == [opening, other, "Budget"]
    move_item(actor=chair, item=budget, up=True, at=START)
    assert titles(meeting) == [opening, "Budget", other]
    first = meeting.agenda.get(position=1)
    move_item(actor=chair, item=first, up=True, at=START)
    move_item(actor=chair, item=first, up=False, at=START)
    assert titles(meeting) == ["Budget", opening, other]
    changed = Point("Budget of the next year", about="Income.", minutes=20, is_closed=True)
    change_item(actor=chair, item=budget, point=changed, at=START)
    budget.refresh_from_db()
    assert (budget.title, budget.minutes, budget.is_closed) == (changed.title, 20, True)
    remove_item(actor=chair, item=budget, at=START)
    assert titles(meeting) == [opening, other]


def test_open_motions_are_gathered_once(
    meeting: Meeting, board: Body, directors: list[User], motion: Motion
) -> None:
    make_draft(board, directors[1], "Another")
    assert gather_motions(actor=directors[0], meeting=meeting, at=START) == 2
    assert gather_motions(actor=directors[0], meeting=meeting, at=START) == 0
    assert titles(meeting)[2:] == [motion.title, "Another"]


def test_a_motion_stands_once_and_belongs_to_the_body(
    meeting: Meeting, board: Body, directors: list[User], motion: Motion
) -> None:
    item = add_item(actor=directors[0], meeting=meeting, point=Point("A", motion=motion), at=START)
    change_item(actor=directors[0], item=item, point=Point("B", motion=motion), at=START)
    with pytest.raises(Refusal, match="on the agenda already"):
        add_item(actor=directors[0], meeting=meeting, point=Point("C", motion=motion), at=START)
    other = Body(slug="council", name="Council", kind="council", purpose="-", since=FOUNDED)
    save_body(actor=None, body=other)
    stranger = Motion(body=other, pk=motion.pk)
    with pytest.raises(Refusal, match="another body"):
        add_item(actor=directors[0], meeting=meeting, point=Point("D", motion=stranger), at=START)


def test_an_item_with_something_on_record_stays(meeting: Meeting, directors: list[User]) -> None:
    hold(meeting, directors)
    with pytest.raises(Refusal, match="Empty its record first"):
        remove_item(actor=directors[0], item=meeting.agenda.get(position=1), at=START)


def test_others_do_not_arrange_it(meeting: Meeting, directors: list[User]) -> None:
    with pytest.raises(NotAllowed):
        add_item(actor=directors[1], meeting=meeting, point=Point("Mine"), at=START)
    cancel_meeting(actor=directors[0], meeting=meeting, reason="Ill.", at=START)
    with pytest.raises(Refusal, match="cancelled"):
        add_item(actor=directors[0], meeting=meeting, point=Point("Mine"), at=START)


def test_minutes_that_wait_come_first_the_next_time(
    meeting: Meeting, board: Body, directors: list[User]
) -> None:
    hold(meeting, directors)
    submit(meeting, directors[0])
    later = make_meeting(directors[0], board, days=40)
    item: AgendaItem = later.agenda.get(position=2)
    assert item.title == f"Minutes of: Board meeting, {meeting.day.isoformat()}"
    earlier = make_meeting(directors[0], board, days=5)
    assert "Minutes" not in str(titles(earlier))
    assert later.begins_at - meeting.begins_at == 30 * DAY
