"""Bringing a proposal up to a version that was adopted since, also while it is discussed."""

from datetime import date

import pytest
from django.test import Client

from governance.actions.motion import open_motion
from governance.actions.rebase import rebase_proposal
from governance.models import Body, Bylaws, Proposal
from governance.refusals import NotAllowed, Refusal
from governance.tests.bylaws import (
    TEXT,
    discuss,
    make_bylaws,
    make_proposal,
    make_version,
)
from governance.tests.conftest import DAY, START
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
OTHER = TEXT.replace("two years", "three years")  # another clause than that of the proposal
SAME = TEXT.replace("one half", "one quarter")  # the same clause
LATER = START + 2 * DAY


@pytest.fixture
def bylaws(board: Body) -> Bylaws:
    bylaws = make_bylaws(board, discussion_days=1, discussion_restarts=True)
    make_version(bylaws)
    return bylaws


@pytest.fixture
def proposal(bylaws: Bylaws, directors: list[User]) -> Proposal:
    """By Ada, in public discussion: one third instead of one half."""
    return discuss(make_proposal(bylaws, directors[0]), directors, at=START - 3 * DAY)


def rebase(proposal: Proposal, actor: User, *written: str) -> Proposal:
    done = rebase_proposal(actor=actor, proposal=proposal, written=list(written), at=START)
    done.refresh_from_db()
    return done


def test_different_clauses_are_brought_together_and_the_vote_can_open(
    bylaws: Bylaws, proposal: Proposal, directors: list[User], client: Client
) -> None:
    make_version(bylaws, OTHER, date(2024, 1, 1))
    began = proposal.motion.clock_from
    found = rebase(proposal, directors[0])
    assert found.base.number == 2
    assert found.motion.text == OTHER.replace("one half", "one third")
    assert found.motion.clock_from == began, "nobody chose other words"
    open_motion(actor=directors[0], motion=found.motion, deadline=LATER, at=START)
    page = client.get(found.motion.get_absolute_url()).content.decode()
    assert "Brought up to version 2 by Ada." in page


def test_the_same_clause_is_written_by_a_person_and_the_days_begin_anew(
    bylaws: Bylaws, proposal: Proposal, directors: list[User]
) -> None:
    make_version(bylaws, SAME, date(2024, 1, 1))
    with pytest.raises(Refusal, match="Look at them once more"):
        rebase(proposal, directors[0])
    with pytest.raises(Refusal, match="stands in an article of another number"):
        rebase(proposal, directors[0], "9.2 Elsewhere.")
    with pytest.raises(Refusal, match="Nothing differs from version 2"):
        rebase(proposal, directors[0], "4.2 No more than one quarter may come form one company.")
    found = rebase(proposal, directors[0], "4.2 No more than two may come from one company.")
    assert "No more than two may" in found.motion.text
    assert found.motion.clock_from == START
    with pytest.raises(Refusal, match="discussed"):
        open_motion(actor=directors[0], motion=found.motion, deadline=LATER, at=START)


def test_a_draft_loses_the_seconds_that_other_words_got(
    bylaws: Bylaws, directors: list[User]
) -> None:
    draft = make_proposal(bylaws, directors[0])
    draft.motion.seconds.create(user=directors[1], given_at=START)
    make_version(bylaws, OTHER, date(2024, 1, 1))
    assert rebase(draft, directors[0]).motion.seconds.count() == 1
    make_version(bylaws, OTHER.replace("one half", "one quarter"), date(2025, 1, 1))
    found = rebase(draft, directors[0], "4.2 No more than two may come from one company.")
    assert found.motion.seconds.count() == 0


def test_who_proposed_it_or_keeps_the_record_does_it(
    bylaws: Bylaws, proposal: Proposal, directors: list[User], frank: User
) -> None:
    with pytest.raises(Refusal, match="newest version already"):
        rebase(proposal, directors[0])
    make_version(bylaws, OTHER, date(2024, 1, 1))
    with pytest.raises(NotAllowed):
        rebase(proposal, directors[1])
    assert rebase(proposal, frank).base.number == 2


def test_a_text_that_is_voted_on_stays(
    bylaws: Bylaws, proposal: Proposal, directors: list[User]
) -> None:
    open_motion(actor=directors[0], motion=proposal.motion, deadline=LATER, at=START)
    make_version(bylaws, OTHER, date(2024, 1, 1))
    with pytest.raises(Refusal, match="frozen"):
        rebase(proposal, directors[0])


def test_the_page_shows_both_changes_and_asks(
    bylaws: Bylaws, proposal: Proposal, directors: list[User], client: Client
) -> None:
    path = f"{proposal.get_absolute_url()}rebase/"
    ada = sign_in(directors[0])
    assert "newest version already" in ada.get(path, follow=True).content.decode()
    make_version(bylaws, SAME, date(2024, 1, 1))
    shown = ada.get(proposal.get_absolute_url()).content.decode()
    assert path in shown
    public = client.get(proposal.get_absolute_url()).content.decode()
    assert "Ada, who proposed it, can bring it up to date." in public
    page = ada.get(path).content.decode()
    assert "Clause 4.2" in page
    assert "<ins>quarter</ins>" in page
    assert "<ins>third</ins>" in page
    sent = {"version": "2", "clash-0": "4.2 No more than two may come from one company."}
    preview = ada.post(path, {**sent, "preview": "yes"}).content.decode()
    assert "1 passage changed" in preview
    assert proposal.base.number == 1
    done = ada.post(path, sent, follow=True).content.decode()
    assert "The proposal changes version 2 now." in done


def test_what_was_written_for_another_version_comes_back(
    bylaws: Bylaws, proposal: Proposal, directors: list[User]
) -> None:
    path = f"{proposal.get_absolute_url()}rebase/"
    make_version(bylaws, SAME, date(2024, 1, 1))
    make_version(bylaws, SAME.replace("quarter", "fifth"), date(2025, 1, 1))
    ada = sign_in(directors[0])
    late = ada.post(path, {"version": "2", "clash-0": "4.2 My words."})
    assert late.status_code == 422
    assert "Another version was adopted while you wrote." in late.content.decode()
    assert "4.2 My words." in late.content.decode()
    bad = ada.post(path, {"version": "3", "clash-0": "# Spoilt"})
    assert bad.status_code == 422
    assert "cannot be read yet" in bad.content.decode()
    unsaid = ada.post(path, {"clash-0": "4.2 My words."})
    assert unsaid.status_code == 422


def test_a_text_that_an_amendment_spoilt_is_amended_first(
    bylaws: Bylaws, proposal: Proposal, directors: list[User]
) -> None:
    make_version(bylaws, OTHER, date(2024, 1, 1))
    type(proposal.motion).objects.filter(pk=proposal.motion_id).update(text="Spoilt.")
    page = sign_in(directors[0]).get(f"{proposal.get_absolute_url()}rebase/", follow=True)
    assert "There is no article." in page.content.decode()
