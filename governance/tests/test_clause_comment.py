"""Public discussion of a proposal: who speaks, who hides, what readers see."""

from datetime import timedelta

import pytest
from django.utils import timezone

from governance.actions.clause_comment import (
    comment_on_clause,
    hide_clause_comment,
    show_clause_comment,
)
from governance.models import Body, ClauseComment, Proposal
from governance.refusals import NotAllowed, Refusal
from governance.tests.bylaws import discuss, make_bylaws, make_proposal, make_version
from portal.accounts.models import User
from portal.members.actions.contributor import accept_standing
from portal.members.tests.people import make_contributor, make_organisation, make_term, make_tier
from tests.cast import make_person
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def proposal(board: Body, directors: list[User]) -> Proposal:
    """In discussion since an hour."""
    bylaws = make_bylaws(board)
    make_version(bylaws)
    return discuss(make_proposal(bylaws, directors[0]), directors)


def say(actor: User, proposal: Proposal, text: str = "Why?", **fields: object) -> ClauseComment:
    return comment_on_clause(actor=actor, proposal=proposal, clause="c4.2", text=text, **fields)  # type: ignore[arg-type]


def test_a_director_and_staff_comment_and_answer(
    proposal: Proposal, directors: list[User], frank: User
) -> None:
    first = say(directors[2], proposal)
    answer = say(frank, proposal, "Because.", reply_to=first)
    assert answer.place == first.place
    assert [each.text for each in proposal.comments.in_order()] == ["Why?", "Because."]
    with pytest.raises(Refusal, match="belongs to another text"):
        comment_on_clause(actor=frank, proposal=proposal, clause="c4.1", text="x", reply_to=first)


def test_a_stranger_reads_and_does_not_comment(proposal: Proposal, charlie: User) -> None:
    with pytest.raises(NotAllowed, match="Members comment"):
        say(charlie, proposal)
    assert not proposal.comments.exists()


def test_members_comment_who_sit_nowhere(proposal: Proposal, charlie: User, frank: User) -> None:
    now = timezone.now()
    gwen, olga = make_person("gwen"), make_person("olga")
    contributor = make_contributor(charlie, frank, now)
    make_term(make_organisation(owner=olga), make_tier(), now)
    accept_standing(user=gwen, contributor=contributor, is_listed=False, at=now)
    for person in (gwen, olga):
        say(person, proposal)
    assert proposal.comments.count() == 2


def test_comments_are_open_while_it_is_discussed(board: Body, directors: list[User]) -> None:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    with pytest.raises(Refusal, match="while a proposal is in discussion"):
        say(directors[0], make_proposal(bylaws, directors[0]))


def test_a_comment_keeps_the_motion_from_lapsing(proposal: Proposal, directors: list[User]) -> None:
    later = timezone.now() + timedelta(days=3)
    say(directors[0], proposal, at=later)
    proposal.motion.refresh_from_db()
    assert proposal.motion.active_at == later


def test_officers_hide_with_a_reason_and_show_again(
    proposal: Proposal, directors: list[User]
) -> None:
    comment = say(directors[1], proposal)
    with pytest.raises(Refusal, match="Say why"):
        hide_clause_comment(actor=directors[0], comment=comment, because=" ")
    hidden = hide_clause_comment(actor=directors[0], comment=comment, because="Off topic.")
    assert (hidden.hidden_by, hidden.text) == (directors[0], "Why?")
    with pytest.raises(NotAllowed, match="Who moderates hid it"):
        show_clause_comment(actor=directors[1], comment=hidden)
    with pytest.raises(NotAllowed, match="Staff and the officers"):
        show_clause_comment(actor=directors[2], comment=hidden)
    assert not show_clause_comment(actor=directors[0], comment=hidden).is_hidden


def test_an_author_takes_back_and_shows_again(proposal: Proposal, directors: list[User]) -> None:
    comment = say(directors[1], proposal)
    with pytest.raises(NotAllowed, match="Staff and the officers"):
        hide_clause_comment(actor=directors[2], comment=comment, because="No.")
    hidden = hide_clause_comment(actor=directors[1], comment=comment, because="I was wrong.")
    assert not show_clause_comment(actor=directors[1], comment=hidden).is_hidden
