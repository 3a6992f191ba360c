"""Seeking consensus in a council: positions, objections, their resolution, the vote after that."""

import json
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from governance.actions.consensus import call_consensus, settle_due, take_position
from governance.actions.motion import open_motion, second_motion
from governance.consensus import questions as asked
from governance.models import Body, Consensus, Motion, Position, RosterSeat
from governance.refusals import NotAllowed, Refusal
from governance.tests.bundles import complaints, files_of, sealed
from governance.tests.conftest import DAY, HOUR, START, make_draft
from governance.tests.council import make_council
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from releases.signer.local import LocalSigner
from tests.shared import shared

pytestmark = pytest.mark.django_db
Say = Callable[..., None]
BEGUN = START - 20 * DAY


@shared
def people() -> list[User]:
    """Four members of the council and an adviser."""
    return make_council()


@shared
def consensus(people: list[User]) -> Consensus:
    """Sought for five days, with three days to resolve objections and seven to vote."""
    draft = make_draft(Body.objects.get(slug="council"), people[0], "Drop it", BEGUN - DAY)
    second_motion(actor=people[1], motion=draft, at=BEGUN - HOUR)
    return call_consensus(actor=people[0], motion=draft, ends_at=BEGUN + 5 * DAY, at=BEGUN)


@pytest.fixture
def say(consensus: Consensus, people: list[User]) -> Say:
    """`say(gil="support", hua="object")`, an hour after the call unless `at` is given."""

    def speak(at: object = BEGUN + HOUR, **stances: str) -> None:
        for name, stance in stances.items():
            take_position(
                actor=next(person for person in people if person.name == name.title()),
                consensus=consensus,
                stance=Position.Stance(stance),
                reason="It breaks the old clients." if stance in {"object", "stand_aside"} else "",
                at=at,  # type: ignore[arg-type]
            )

    return speak


def motion_of(consensus: Consensus) -> Motion:
    return Motion.objects.get(pk=consensus.motion_id)


def test_it_is_carried_when_everybody_has_spoken_and_nobody_objects(
    consensus: Consensus, say: Say
) -> None:
    say(gil="support", hua="accept", ian="accept")
    assert motion_of(consensus).state == "draft"
    say(jo="stand_aside", at=BEGUN + DAY)
    motion = motion_of(consensus)
    assert (motion.state, motion.way, motion.decided_at) == (
        "adopted",
        "consensus",
        BEGUN + DAY,
    )
    assert motion.resolution
    assert RosterSeat.objects.filter(motion=motion).count() == 4
    assert OutboxMail.objects.filter(key__startswith="consensus_reached").count() == 5


def test_it_is_carried_at_the_end_of_the_timer_when_enough_spoke(
    consensus: Consensus, say: Say
) -> None:
    say(gil="support", hua="accept", ian="accept")
    assert settle_due(at=BEGUN + 5 * DAY - HOUR) == 0
    assert settle_due(at=BEGUN + 5 * DAY) == 1
    assert motion_of(consensus).state == "adopted"
    assert settle_due(at=BEGUN + 6 * DAY) == 0


def test_silence_is_no_consent(consensus: Consensus, say: Say) -> None:
    say(gil="support", hua="accept", ada="support")
    assert settle_due(at=BEGUN + 5 * DAY) == 1
    assert motion_of(consensus).state == "open", "three must take part; an adviser is not counted"


def test_an_objection_gets_time_and_then_a_vote(consensus: Consensus, say: Say) -> None:
    say(gil="support", hua="support", ian="support", jo="object")
    told = OutboxMail.objects.filter(key__startswith="consensus_objected")
    assert {letter.recipient.split("@")[0] for letter in told} == {"gil", "hua", "ian", "ada"}
    assert "It breaks the old clients." in told[0].text
    assert settle_due(at=BEGUN + 5 * DAY) == 1
    consensus.refresh_from_db()
    assert consensus.resolving_until == BEGUN + 8 * DAY
    assert settle_due(at=BEGUN + 7 * DAY) == 0
    assert settle_due(at=BEGUN + 8 * DAY) == 1
    motion = motion_of(consensus)
    assert (motion.state, motion.way, motion.deadline) == ("open", "vote", BEGUN + 15 * DAY)
    consensus.refresh_from_db()
    assert consensus.state == "vote"


def test_a_resolved_objection_carries_it_at_once(consensus: Consensus, say: Say) -> None:
    say(gil="support", hua="support", ian="support", jo="object")
    settle_due(at=BEGUN + 5 * DAY)
    say(jo="stand_aside", at=BEGUN + 6 * DAY)
    assert motion_of(consensus).state == "adopted"


def test_advisers_are_heard_and_never_counted(consensus: Consensus, say: Say) -> None:
    say(gil="support", hua="support", ian="support", ada="object")
    line = next(line for line in asked.lines(consensus) if line.participant.name == "Ada")
    assert line.position is not None
    assert (line.position.stance, line.participant.office) == ("object", "Adviser")
    assert not OutboxMail.objects.filter(key__startswith="consensus_objected").exists()
    say(jo="support")
    assert motion_of(consensus).state == "adopted"


def test_against_it_only_with_a_reason(consensus: Consensus, people: list[User]) -> None:
    for stance in (Position.Stance.OBJECT, Position.Stance.STAND_ASIDE):
        with pytest.raises(Refusal, match="Say why"):
            take_position(actor=people[0], consensus=consensus, stance=stance, reason=" ", at=BEGUN)


def test_each_word_is_kept_and_the_same_word_once(consensus: Consensus, say: Say) -> None:
    say(gil="support")
    say(gil="support", at=BEGUN + 2 * HOUR)
    say(gil="accept", at=BEGUN + 3 * HOUR)
    stances = Position.objects.values_list("stance", flat=True)
    assert list(stances) == ["support", "accept"]
    for change in (
        "UPDATE governance_position SET stance = 'object'",
        "DELETE FROM governance_position",
        "UPDATE governance_participant SET is_counted = false",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)


def test_another_text_ends_the_round(consensus: Consensus, people: list[User], say: Say) -> None:
    say(gil="support")
    Motion.objects.filter(pk=consensus.motion_id).update(text="Other words.")
    assert settle_due(at=BEGUN + DAY) == 1
    consensus.refresh_from_db()
    assert (consensus.state, consensus.ended_because) == ("ended", "The text was changed.")
    with pytest.raises(Refusal, match="It ended on"):
        say(hua="support", at=BEGUN + DAY)
    motion = motion_of(consensus)
    second = call_consensus(
        actor=people[0], motion=motion, ends_at=BEGUN + 9 * DAY, at=BEGUN + 2 * DAY
    )
    assert second.round == 2


def test_while_it_is_sought_the_vote_is_not_opened(
    consensus: Consensus, people: list[User]
) -> None:
    motion = motion_of(consensus)
    with pytest.raises(Refusal, match="seeks consensus"):
        open_motion(actor=people[0], motion=motion, deadline=BEGUN + 9 * DAY, at=BEGUN + DAY)
    with pytest.raises(Refusal, match="seeks consensus"):
        call_consensus(actor=people[0], motion=motion, ends_at=BEGUN + 9 * DAY, at=BEGUN + DAY)


def test_a_motion_that_went_another_way_ends_it(consensus: Consensus) -> None:
    Motion.objects.filter(pk=consensus.motion_id).update(
        state="withdrawn", withdrawn_at=BEGUN + HOUR
    )
    assert settle_due(at=BEGUN + DAY) == 1
    consensus.refresh_from_db()
    assert consensus.ended_because == "The motion went another way."


def test_who_does_not_sit_there_says_nothing(consensus: Consensus, charlie: User) -> None:
    with pytest.raises(NotAllowed, match="Only those who sat in the body"):
        take_position(actor=charlie, consensus=consensus, stance=Position.Stance.SUPPORT, at=BEGUN)


def test_a_board_votes(board: Body, directors: list[User], draft: Motion) -> None:
    with pytest.raises(Refusal, match="this body votes"):
        call_consensus(actor=directors[0], motion=draft, ends_at=START + DAY, at=START)


def test_it_ends_after_it_begins(people: list[User]) -> None:
    draft = make_draft(Body.objects.get(slug="council"), people[0], "Drop it", BEGUN - DAY)
    second_motion(actor=people[1], motion=draft, at=BEGUN - HOUR)
    with pytest.raises(Refusal, match="must end after"):
        call_consensus(actor=people[0], motion=draft, ends_at=BEGUN, at=BEGUN)


def test_every_word_is_in_the_bundle_and_checked(
    consensus: Consensus, say: Say, signer: LocalSigner
) -> None:
    say(gil="support", hua="support", ian="support", jo="object")
    settle_due(at=BEGUN + 5 * DAY)
    say(jo="accept", at=BEGUN + 6 * DAY)
    bundle = sealed(signer)
    assert complaints(bytes(bundle.packed or b"")) == []
    document = json.loads(files_of(bundle)["records/motions/drop-it.json"])
    assert [said["stance"] for said in document["positions"]] == [
        *["support"] * 3,
        "object",
        "accept",
    ]
