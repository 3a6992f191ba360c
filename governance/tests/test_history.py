"""What the page of a motion tells of its past, where nobody voted: signatures and consensus."""

from collections.abc import Callable

import pytest

from governance.actions.consensus import call_consensus, settle_due, take_position
from governance.actions.motion import second_motion
from governance.models import Body, Consensus, Motion, Position
from governance.motions import history
from governance.tests.conftest import DAY, HOUR, START, make_draft
from governance.tests.written import in_writing, make_consent, revoke, sign
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
Call = Callable[[], Consensus]


def told(motion: Motion) -> list[str]:
    """Oldest first."""
    fresh = Motion.objects.with_votes().get(pk=motion.pk)
    return [event.text for event in reversed(history.events(fresh))]


def test_signatures_are_told_and_that_one_was_taken_back(
    board: Body, directors: list[User]
) -> None:
    in_writing(board)
    consent = make_consent(board, directors)
    sign(consent, directors[0])
    revoke(consent, directors[0])
    sign(consent, *directors, at=START + 3 * HOUR)
    lines = told(consent.motion)
    assert lines[2] == "Signatures asked for by Ada."
    assert lines[3:5] == ["Signed by Ada.", "Ada took the signature back."]
    assert [line for line in lines if line.startswith("Signed by")][1:] == [
        f"Signed by {name}." for name in ("Ada", "Bea", "Cyd", "Dov", "Eve")
    ]
    assert lines[-1].startswith("Carried as resolution ")


@pytest.fixture
def call(board: Body, directors: list[User]) -> Call:
    """The board seeks consensus, as committees do."""
    Body.objects.filter(pk=board.pk).update(kind=Body.Kind.COMMITTEE)
    draft = make_draft(board, directors[0], "Drop it", START - 2 * DAY)
    second_motion(actor=directors[1], motion=draft, at=START - DAY)
    draft.refresh_from_db()

    def seek() -> Consensus:
        return call_consensus(actor=directors[0], motion=draft, ends_at=START + 2 * DAY, at=START)

    return seek


def speak(consensus: Consensus, person: User, stance: Position.Stance) -> None:
    reason = "It breaks clients." if stance is Position.Stance.OBJECT else ""
    take_position(actor=person, consensus=consensus, stance=stance, reason=reason, at=START + HOUR)


def test_what_everybody_said_about_a_consensus_is_told(call: Call, directors: list[User]) -> None:
    consensus = call()
    for person in directors:
        speak(consensus, person, Position.Stance.SUPPORT)
    lines = told(consensus.motion)
    assert lines[2].startswith("Consensus called by Ada until ")
    assert lines[3:8] == [f"{person} says: support." for person in directors]
    assert lines[8].startswith("Carried as resolution ")
    assert not any("No consensus" in line for line in lines)


def test_an_objection_and_what_came_of_it_are_told(call: Call, directors: list[User]) -> None:
    consensus = call()
    speak(consensus, directors[0], Position.Stance.OBJECT)
    settle_due(at=START + 2 * DAY)
    settle_due(at=START + 5 * DAY)
    lines = told(consensus.motion)
    assert "Ada says: object." in lines
    assert "No consensus. It is put to the vote." in lines


def test_why_a_consensus_ended_is_told(call: Call, directors: list[User]) -> None:
    consensus = call()
    Motion.objects.filter(pk=consensus.motion_id).update(text="Other words.")
    settle_due(at=START + HOUR)
    assert "No consensus. The text was changed." in told(consensus.motion)
