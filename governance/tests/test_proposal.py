"""Proposals to change bylaws: what can be drafted, brought up to date and put to the vote."""

import pytest

from governance.actions.discussion import open_discussion
from governance.actions.motion import edit_motion, open_motion, second_motion
from governance.actions.proposal import draft_proposal, edit_proposal
from governance.models import Body, Bylaws, Motion, Proposal
from governance.refusals import NotAllowed, Refusal
from governance.tests.bylaws import (
    CHANGED,
    TEXT,
    discuss,
    make_bylaws,
    make_proposal,
    make_version,
)
from governance.tests.conftest import DAY, START, make_rules
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db
OTHER = TEXT.replace("two years", "three years")


@shared
def bylaws(board: Body) -> Bylaws:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    return bylaws


def put(proposal: Proposal, people: list[User]) -> Motion:
    return open_motion(actor=people[0], motion=proposal.motion, deadline=START + 3 * DAY, at=START)


def test_a_proposal_changes_something(bylaws: Bylaws, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="Nothing differs from version 1"):
        make_proposal(bylaws, directors[0], TEXT)
    with pytest.raises(Refusal, match=r"Line 3: Clause 9\.1 stands in an article of another"):
        make_proposal(bylaws, directors[0], "## 1. Name\n\n9.1 Words.\n")
    assert not Motion.objects.exists()


def test_there_is_nothing_to_change_before_the_first_version(
    board: Body, directors: list[User]
) -> None:
    with pytest.raises(Refusal, match="no version to change yet"):
        make_proposal(make_bylaws(board), directors[0])


def test_only_those_with_a_vote_propose(bylaws: Bylaws, charlie: User) -> None:
    with pytest.raises(NotAllowed):
        make_proposal(bylaws, charlie)
    assert not Proposal.objects.exists()


def test_a_draft_is_changed_and_follows_the_newest_version(
    bylaws: Bylaws, directors: list[User]
) -> None:
    proposal = make_proposal(bylaws, directors[0])
    newer = make_version(bylaws, OTHER)
    changed = edit_proposal(
        actor=directors[0],
        proposal=proposal,
        title="A quarter at most",
        summary="Fewer still.",
        text=OTHER.replace("one half", "one quarter"),
        effective_on=(START + 9 * DAY).date(),
    )
    changed.refresh_from_db()
    assert changed.base == newer
    assert changed.motion.title == "A quarter at most"
    assert changed.motion.takes_effect_on == (START + 9 * DAY).date()


def test_a_vote_waits_until_the_proposal_is_brought_up_to_date(
    bylaws: Bylaws, directors: list[User]
) -> None:
    proposal = discuss(make_proposal(bylaws, directors[0]), directors)
    make_version(bylaws, OTHER)
    with pytest.raises(Refusal, match="Version 2 was adopted since"):
        put(proposal, directors)


def test_one_vote_at_a_time_on_the_same_bylaws(bylaws: Bylaws, directors: list[User]) -> None:
    first = discuss(make_proposal(bylaws, directors[0]), directors)
    second = discuss(make_proposal(bylaws, directors[0], OTHER, title="Longer"), directors)
    put(first, directors)
    with pytest.raises(Refusal, match="The vote on “One third at most” is open"):
        put(second, directors)


def test_it_is_decided_by_the_rules_for_bylaws(bylaws: Bylaws, directors: list[User]) -> None:
    proposal = make_proposal(bylaws, directors[0])
    motion = edit_motion(
        actor=directors[0],
        motion=proposal.motion,
        subject="ordinary",
        title="t",
        summary="s",
        text=CHANGED,
    )
    proposal.motion = motion
    discuss(proposal, directors)
    with pytest.raises(Refusal, match="decided by the rules for it"):
        put(proposal, directors)


@pytest.mark.parametrize(
    ("text", "told"), [("Only words.", "There is no article"), (TEXT, "It changes nothing")]
)
def test_a_text_that_was_spoilt_is_not_put_to_the_vote(
    bylaws: Bylaws, directors: list[User], text: str, told: str
) -> None:
    proposal = discuss(make_proposal(bylaws, directors[0]), directors)
    Motion.objects.filter(pk=proposal.motion_id).update(text=text)  # as an amendment may
    with pytest.raises(Refusal, match=told):
        put(proposal, directors)


def test_notice_and_public_discussion_run_before_the_vote(
    board: Body, directors: list[User]
) -> None:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    make_rules(board, subject="bylaws", notice_days=3, public_discussion_days=14)
    proposal = make_proposal(bylaws, directors[0])
    second_motion(actor=directors[1], motion=proposal.motion, at=START - DAY)
    with pytest.raises(Refusal, match="Open its public discussion first; it lasts 14 days"):
        put(proposal, directors)
    open_discussion(actor=directors[0], motion=proposal.motion, at=START - DAY / 2)
    with pytest.raises(Refusal, match="It is discussed in public until"):
        put(proposal, directors)
    motion = open_motion(
        actor=directors[0],
        motion=proposal.motion,
        deadline=START + 20 * DAY,
        at=START + 14 * DAY,
    )
    assert motion.state == Motion.State.OPEN


def test_a_motion_that_changes_no_bylaws_is_not_held_up(
    draft: Motion, directors: list[User]
) -> None:
    second_motion(actor=directors[1], motion=draft, at=START)
    assert open_motion(actor=directors[0], motion=draft, deadline=START + DAY, at=START).opened_at


def test_a_draft_names_who_wrote_it(bylaws: Bylaws, directors: list[User]) -> None:
    proposal = draft_proposal(
        actor=directors[0], bylaws=bylaws, title="t", summary="s", text=CHANGED
    )
    assert str(proposal) == "t"
    assert proposal.motion.proposed_by == directors[0]
