"""The record of a meeting taken from its document."""

from dataclasses import replace
from datetime import timedelta

import pytest

from governance.actions.body import save_body
from governance.actions.meeting import cancel_meeting
from governance.actions.minutes import ChangedMeanwhile
from governance.actions.record_import import take_record
from governance.meetings import compose
from governance.meetings.document import Document, Item, Kind, Person, Task
from governance.meetings.reading import read
from governance.meetings.writing import write
from governance.models import ActionItem, Body, Meeting, Motion
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, FOUNDED, START
from governance.tests.meeting_cast import hold, make_meeting, submit
from portal.accounts.models import User
from portal.lib.models import OutboxMail

pytestmark = pytest.mark.django_db
BEGINS = START.replace(minute=0, second=0) - 20 * DAY
OUTSIDE = (((BEGINS + timedelta(minutes=9)).time(), (BEGINS + timedelta(minutes=20)).time()),)
DUE = START.date() + timedelta(days=30)


def document_of(motion: str = "") -> Document:
    return Document(
        title="Winter meeting",
        body="board",
        begins=BEGINS,
        ends=BEGINS + timedelta(hours=1),
        place="Online",
        opened=(BEGINS + timedelta(minutes=2)).time(),
        closed=(BEGINS + timedelta(minutes=50)).time(),
        people=(
            Person("Ada", "seat 1, Chair", arrived=(BEGINS + timedelta(minutes=5)).time()),
            Person("Noor Haddad", "Auditor", Kind.OBSERVER),
            Person("Bea", "seat 2", outside=OUTSIDE),
            Person("Old Director", "seat 2", Kind.EXCUSED),
        ),
        items=(
            Item("Opening", text="All came."),
            Item(
                "Budget",
                motion=motion,
                minutes=10,
                is_closed=True,
                salt="a0" * 16,
                text="### Reserve\n\nEight months.",
                tasks=(Task("Ada", "Publish it", DUE), Task("Noor Haddad", "Sign", is_done=True)),
            ),
        ),
    )


def test_a_document_becomes_a_meeting_and_the_same_document_again(
    board: Body, directors: list[User], motion: Motion
) -> None:
    document = document_of(motion.slug)
    meeting = take_record(actor=directors[0], document=document, at=START)
    assert compose.document_of(meeting) == document
    assert read(write(compose.document_of(meeting))) == document
    ada, noor, bea, old = meeting.attendance.order_by("position")
    assert (ada.user, ada.votes, noor.user, noor.votes) == (directors[0], True, None, False)
    assert (old.user, old.votes) == (None, True)
    assert [bea.was_there(BEGINS + timedelta(minutes=at)) for at in (0, 10, 20)] == [1, 0, 1]
    publish = ActionItem.objects.get(text="Publish it")
    assert (publish.owner, publish.due) == (directors[0], DUE)
    assert OutboxMail.objects.filter(key__startswith="action_assigned").count() == 1
    assert meeting.announced_at is None


def test_the_record_of_a_meeting_is_replaced(board: Body, directors: list[User]) -> None:
    chair = directors[0]
    meeting = take_record(actor=chair, document=document_of(), at=START)
    kept = ActionItem.objects.get(text="Publish it")
    document = compose.document_of(meeting)
    budget = replace(
        document.items[1], tasks=(Task("Ada", "Publish it", None, is_done=True),), text="Other."
    )
    changed = replace(document, items=(budget,), people=document.people[:1])
    taken = take_record(
        actor=chair, document=changed, meeting=meeting, seen=meeting.record_version, at=START
    )
    assert (taken.pk, taken.record_version) == (meeting.pk, 2)
    assert compose.document_of(taken) == changed
    kept.refresh_from_db()
    assert (kept.done_at, kept.done_by) == (START, chair)
    assert not ActionItem.objects.filter(text="Sign").exists()
    reopened = replace(budget, tasks=(Task("Ada", "Publish it"),))
    take_record(
        actor=chair, document=replace(changed, items=(reopened,)), meeting=meeting, at=START
    )
    kept.refresh_from_db()
    assert kept.done_at is None


def test_what_a_version_told_is_dropped_and_not_deleted(board: Body, directors: list[User]) -> None:
    chair = directors[0]
    meeting = take_record(actor=chair, document=document_of(), at=START)
    submit(meeting, chair)
    shorter = replace(document_of(), items=document_of().items[:1])
    take_record(actor=chair, document=shorter, meeting=meeting, at=START)
    dropped = ActionItem.objects.get(text="Publish it")
    assert dropped.dropped_because == "Taken out of the record."
    assert ActionItem.objects.get(text="Sign").dropped_at is None
    take_record(actor=chair, document=document_of(), meeting=meeting, at=START)
    dropped.refresh_from_db()
    assert dropped.dropped_at is None


def test_another_time_in_the_document_moves_the_meeting_and_tells_it(
    board: Body, directors: list[User]
) -> None:
    meeting = make_meeting(directors[0], board)
    later = replace(compose.document_of(meeting), begins=BEGINS + 40 * DAY, ends=BEGINS + 41 * DAY)
    taken = take_record(actor=directors[0], document=later, meeting=meeting, at=START)
    assert (taken.begins_at, taken.revision, taken.slug) == (later.begins, 1, meeting.slug)
    assert OutboxMail.objects.filter(key__startswith="meeting_changed").count() == 5


def test_who_read_an_older_record_overwrites_nothing(board: Body, directors: list[User]) -> None:
    meeting = make_meeting(directors[0], board, days=-20)
    hold(meeting, directors)
    with pytest.raises(ChangedMeanwhile):
        take_record(
            actor=directors[0],
            document=compose.document_of(meeting),
            meeting=meeting,
            seen=0,
            at=START,
        )


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"body": "senate"}, "no body “senate”"),
        ({"items": (Item("A", motion="nothing"),)}, "no motion “nothing”"),
        ({"items": (Item("A", is_closed=True, sealed="0f" * 32),)}, "the published text"),
        ({"opened": None}, "after it was called to order"),
        (
            {"people": (Person("A", arrived=document_of().closed, left=document_of().opened),)},
            "A: the times .* do not follow each other",
        ),
    ],
)
def test_what_cannot_be_taken_changes_nothing(
    board: Body, directors: list[User], changed: dict[str, object], words: str
) -> None:
    document = replace(document_of(), **changed)  # type: ignore[arg-type]
    with pytest.raises(Refusal, match=words):
        take_record(actor=directors[0], document=document, at=START)
    assert not Meeting.objects.exists()


def test_a_motion_stands_once(board: Body, directors: list[User], motion: Motion) -> None:
    item = Item("A", motion=motion.slug)
    document = replace(document_of(), items=(item, item))
    with pytest.raises(Refusal, match="on the agenda twice"):
        take_record(actor=directors[0], document=document, at=START)


def test_a_document_of_another_body_or_for_others_is_refused(
    board: Body, directors: list[User]
) -> None:
    council = Body(slug="council", name="Council", kind="council", purpose="-", since=FOUNDED)
    save_body(actor=None, body=council)
    meeting = make_meeting(directors[0], board)
    other = replace(document_of(), body="council")
    with pytest.raises(Refusal, match="one of the body “Board”"):
        take_record(actor=directors[0], document=other, meeting=meeting, at=START)
    for person, document in ((directors[1], document_of()), (directors[0], other)):
        with pytest.raises(NotAllowed):
            take_record(actor=person, document=document, at=START)
    cancel_meeting(actor=directors[0], meeting=meeting, reason="Ill.", at=START)
    with pytest.raises(Refusal, match="cancelled"):
        take_record(actor=directors[0], document=document_of(), meeting=meeting, at=START)
