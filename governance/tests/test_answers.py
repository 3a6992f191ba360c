"""Whoever is answered gets a letter, once for each answer, unless they want none."""

import pytest

from governance.actions.clause_comment import comment_on_clause
from governance.actions.motion_comment import comment_on_motion
from governance.actions.silence import choose_letters
from governance.models import Body, Motion, MotionComment, Silence
from governance.tests.bylaws import discuss, make_bylaws, make_proposal, make_version
from governance.tests.conftest import HOUR, START
from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def first(discussed: Motion, directors: list[User]) -> MotionComment:
    """By Bea."""
    return comment_on_motion(
        actor=directors[1], motion=discussed, text="Is it dear?", at=START + HOUR
    )


def answer(first: MotionComment, by: User) -> MotionComment:
    return comment_on_motion(
        actor=by, motion=first.motion, text="400 each.\nTwo of them.", reply_to=first
    )


def answers() -> list[OutboxMail]:
    return list(OutboxMail.objects.filter(key__startswith="comment_answered:"))


def test_the_author_gets_the_answer_and_the_way_to_it(
    first: MotionComment, directors: list[User]
) -> None:
    given = answer(first, directors[0])
    [mail] = answers()
    assert mail.recipient == directors[1].email
    assert mail.subject == f"Ada answered you: {first.motion.title}"
    assert "  400 each.\n  Two of them." in mail.text
    assert "  Is it dear?" in mail.text
    assert f"#comment-{given.pk}" in mail.text
    assert "/governance/own/#letters" in mail.text
    answer(first, directors[2])
    assert len(answers()) == 2


def test_nobody_writes_to_themselves_or_of_a_first_word(
    first: MotionComment, directors: list[User]
) -> None:
    answer(first, directors[1])
    assert answers() == []


def test_a_clause_is_named(board: Body, directors: list[User]) -> None:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    proposal = discuss(make_proposal(bylaws, directors[0]), directors)
    said = comment_on_clause(
        actor=directors[2], proposal=proposal, clause="c4.2", text="Why?", at=START
    )
    comment_on_clause(
        actor=directors[0], proposal=proposal, clause="c4.2", text="So.", reply_to=said, at=START
    )
    [mail] = answers()
    assert "your comment on clause 4.2 of" in mail.text
    assert f"{proposal.get_absolute_url()}#comment-" in mail.text


def test_who_wants_no_letters_gets_none(first: MotionComment, directors: list[User]) -> None:
    bea = sign_in(directors[1])
    page = bea.get("/governance/own/").content.decode()
    assert "You get a letter when somebody answers a comment of yours." in page
    off = bea.post("/governance/own/letters/", {"wanted": "no"}, follow=True).content.decode()
    assert "You get no letters about answers any more." in off
    answer(first, directors[0])
    assert answers() == []
    bea.post("/governance/own/letters/", {"wanted": "yes"})
    answer(first, directors[2])
    assert len(answers()) == 1


def test_choosing_twice_is_one_choice(directors: list[User]) -> None:
    for wanted in (True, False, False, True, True):
        choose_letters(actor=directors[0], wanted=wanted)
    assert not Silence.objects.exists()
    assert AuditEntry.objects.filter(verb="answers.letters").count() == 2


def test_what_was_taken_out_of_sight_is_not_in_the_letter(
    first: MotionComment, directors: list[User]
) -> None:
    first.motion.redactions.create(
        passage="400 each",
        passage_sha256="0" * 64,
        because="private",
        redacted_by=directors[0],
        redacted_at=START,
    )
    answer(first, directors[0])
    [mail] = answers()
    assert "400 each" not in mail.text
