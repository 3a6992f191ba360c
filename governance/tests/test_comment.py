"""What every kind of comment does, shown with the comments on motions."""

import pytest
from django.db import IntegrityError, transaction

from governance.actions.comment import LONGEST, hide_comment, show_comment, write_comment
from governance.discussion.threads import threads
from governance.models import Motion, MotionComment
from governance.refusals import Refusal
from governance.tests.conftest import HOUR, START
from portal.accounts.models import User
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db


def say(
    author: User, motion: Motion, text: str, to: MotionComment | None = None, hours: int = 0
) -> MotionComment:
    comment = MotionComment(motion=motion, text=text, reply_to=to)
    return write_comment(actor=author, comment=comment, at=START + hours * HOUR)


def test_answers_stand_below_what_they_answer(motion: Motion, directors: list[User]) -> None:
    ada, bea = directors[:2]
    first = say(ada, motion, "Too dear.")
    second = say(bea, motion, "And late.", hours=1)
    answer = say(bea, motion, "Is it?", to=first, hours=2)
    deeper = say(ada, motion, "It is.", to=answer, hours=3)
    found = threads(MotionComment.objects.filter(motion=motion))
    assert [(each.comment, each.replies) for each in found] == [
        (first, [answer, deeper]),
        (second, []),
    ]
    assert list(MotionComment.objects.in_order()) == [first, second, answer, deeper]


@pytest.mark.parametrize(
    ("text", "words"), [(" \n ", "Write something"), ("x" * (LONGEST + 1), "5000 characters")]
)
def test_a_comment_says_something_and_no_book(
    motion: Motion, directors: list[User], text: str, words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        say(directors[0], motion, text)
    assert not MotionComment.objects.exists()


def test_an_answer_belongs_to_the_same_text(
    motion: Motion, draft: Motion, directors: list[User]
) -> None:
    elsewhere = say(directors[0], draft, "Here.")
    with pytest.raises(Refusal, match="another text"):
        say(directors[0], motion, "There.", to=elsewhere)


def test_a_hidden_comment_keeps_its_place_and_its_words(
    motion: Motion, directors: list[User], frank: User
) -> None:
    comment = say(directors[0], motion, "An insult.")
    with pytest.raises(Refusal, match="Say why"):
        hide_comment(actor=frank, comment=comment, because=" ")
    hidden = hide_comment(actor=frank, comment=comment, because="Insults a person.", at=START)
    assert hidden.is_hidden
    assert (hidden.hidden_by, hidden.hidden_at) == (frank, START)
    assert hidden.hidden_because == "Insults a person."
    assert list(MotionComment.objects.in_order()) == [comment]
    assert not MotionComment.objects.shown().exists()
    with pytest.raises(Refusal, match="hidden already"):
        hide_comment(actor=frank, comment=comment, because="Again.")
    with pytest.raises(Refusal, match="hidden meanwhile"):
        say(directors[1], motion, "What?", to=hidden)
    comment.refresh_from_db()
    assert comment.text == "An insult."


def test_a_comment_is_shown_again(motion: Motion, directors: list[User], frank: User) -> None:
    comment = say(directors[0], motion, "Blunt.")
    with pytest.raises(Refusal, match="not hidden"):
        show_comment(actor=frank, comment=comment)
    hide_comment(actor=frank, comment=comment, because="By mistake.")
    assert not show_comment(actor=frank, comment=comment).is_hidden
    assert list(MotionComment.objects.shown()) == [comment]
    verbs = AuditEntry.objects.filter(subject_kind="governance.motioncomment").order_by("pk")
    assert [entry.verb for entry in verbs] == [
        "motioncomment.written",
        "motioncomment.hidden",
        "motioncomment.shown",
    ]


def test_the_database_hides_nothing_without_a_reason(motion: Motion, directors: list[User]) -> None:
    comment = say(directors[0], motion, "Words.")
    found = MotionComment.objects.filter(pk=comment.pk)
    for wrong in ({"hidden_at": START}, {"hidden_because": "Because."}, {"text": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            found.update(**wrong)
