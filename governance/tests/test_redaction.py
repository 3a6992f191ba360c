"""Passages that the public does not read any more: everywhere, with a reason, the hash kept."""

import hashlib

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from governance.actions.motion_comment import comment_on_motion
from governance.actions.redaction import redact
from governance.discussion.redacting import BLACK, redacted
from governance.models import Body, Motion, Redaction
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import HOUR, START, make_decided
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
SECRET = "modules are bought"
MIXED = {0: "yes", 1: "yes", 2: "yes", 3: "abstain", 4: "recuse"}


@pytest.mark.parametrize(
    ("passages", "after"),
    [([], "a bc d"), (["bc"], f"a {BLACK} d"), (["b", "bc d"], f"a {BLACK}"), (["x"], "a bc d")],
)
def test_longer_passages_go_first(passages: list[str], after: str) -> None:
    assert redacted("a bc d", passages) == after


def test_it_is_taken_out_where_the_text_ends_a_line_inside_it_too() -> None:
    assert redacted("Call Jane Doe.\nJane\n  Doe knows.", ["Jane Doe"]) == (
        f"Call {BLACK}.\n{BLACK} knows."
    )


def test_no_public_surface_tells_it(
    client: Client, board: Body, directors: list[User], frank: User, charlie: User
) -> None:
    motion = make_decided(board, directors, "Key", MIXED)
    for passage in (SECRET, "My employer", "What would change"):
        redact(actor=frank, motion=motion, passage=passage, because="Names a firm.", at=START)
    page = motion.get_absolute_url()
    for path in (
        page,
        f"{page[:-1]}.json",
        "/governance/",
        "/governance/board/",
        "/governance/motions/",
        "/governance/motions.csv",
        "/governance/motions/feed.atom",
        "/governance/resolutions/",
        "/governance/motions/?q=What+would",
        "/search/?q=What+would",
        "/search/?q=modules",
        "/api/v1/search?q=key",
    ):
        for visitor in (client, sign_in(charlie)):
            text = visitor.get(path).content.decode()
            for passage in (SECRET, "My employer", "What would change"):
                assert passage not in text, (path, passage)
    assert "Names a firm." in client.get(page).content.decode()
    whole = sign_in(directors[1]).get(page).content.decode()
    assert SECRET in whole
    assert "You belong to the body and read the text whole" in whole


def test_the_hash_of_the_original_stays(client: Client, motion: Motion, frank: User) -> None:
    before = motion.text_sha256
    redact(actor=frank, motion=motion, passage=SECRET, because="A firm.", at=START)
    data = client.get(f"/governance/motions/{motion.slug}.json").json()
    assert data["text_sha256"] == before == hashlib.sha256(motion.text.encode()).hexdigest()
    [told] = data["redactions"]
    assert told["sha256"] == hashlib.sha256(SECRET.encode()).hexdigest()
    assert BLACK in data["text"]


def test_a_redaction_is_kept_as_it_is(motion: Motion, frank: User) -> None:
    redaction = redact(actor=frank, motion=motion, passage=SECRET, because="Why.", at=START)
    for change in (redaction.delete, lambda: Redaction.objects.update(because="Other.")):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


@pytest.mark.parametrize(
    ("passage", "because", "words"),
    [
        ("ab", "Why.", "three characters"),
        (SECRET, " ", "Say why"),
        ("the key", "Why.", "title stays"),
        ("nowhere in it", "Why.", "stands nowhere"),
    ],
)
def test_a_redaction_names_what_is_there_and_why(
    motion: Motion, frank: User, passage: str, because: str, words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        redact(actor=frank, motion=motion, passage=passage, because=because, at=START)


def test_what_was_said_is_taken_out_too_and_once(
    discussed: Motion, directors: list[User], frank: User
) -> None:
    comment_on_motion(actor=directors[1], motion=discussed, text="Ask Mr X.", at=START + HOUR)
    redact(actor=frank, motion=discussed, passage="Mr X", because="A person.", at=START + HOUR)
    with pytest.raises(Refusal, match="taken out already"):
        redact(actor=frank, motion=discussed, passage="Mr X", because="A person.", at=START)
    with pytest.raises(NotAllowed, match="secretary"):
        redact(actor=directors[0], motion=discussed, passage="Ask", because="Why.", at=START)


def test_the_page_of_the_keeper(motion: Motion, frank: User, directors: list[User]) -> None:
    path = f"{motion.get_absolute_url()}redactions/"
    desk = sign_in(frank)
    assert "Everything is public." in desk.get(path).content.decode()
    wrong = desk.post(path, {"passage": "nowhere at all", "because": "Why."})
    assert wrong.status_code == 422
    assert "stands nowhere" in wrong.content.decode()
    done = desk.post(path, {"passage": SECRET, "because": "A firm."}, follow=True)
    assert "does not read this passage any more" in done.content.decode()
    assert sign_in(directors[0]).get(path).status_code == 403
