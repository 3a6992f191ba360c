"""Proposals in the browser: written with a preview, discussed clause by clause, moderated."""

from datetime import date

import pytest
from django.test import Client

from governance.models import Body, Bylaws, ClauseComment, Motion, Proposal
from governance.tests.bylaws import (
    CHANGED,
    TEXT,
    discuss,
    make_bylaws,
    make_proposal,
    make_version,
)
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
NEW = "/governance/bylaws/foundation/propose/"
WORDS = {"title": "One third at most", "summary": "Fewer from one company.", "text": CHANGED}
OTHER = TEXT.replace("two years", "three years")


@shared
def bylaws(board: Body) -> Bylaws:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    return bylaws


@shared
def proposal(bylaws: Bylaws, directors: list[User]) -> Proposal:
    """In discussion."""
    return discuss(make_proposal(bylaws, directors[0]), directors)


def test_a_director_previews_and_keeps_a_draft(bylaws: Bylaws, directors: list[User]) -> None:
    ada = sign_in(directors[0])
    assert "## 4. Board" in ada.get(NEW).content.decode()
    preview = ada.post(NEW, WORDS | {"preview": "yes"}).content.decode()
    assert "<del>half</del><ins>third</ins>" in preview
    assert "1 passage changed. Nothing is kept yet." in " ".join(preview.split())
    assert not Proposal.objects.exists()
    answer = ada.post(NEW, WORDS, follow=True)
    assert answer.redirect_chain == [(Proposal.objects.get().get_absolute_url(), 302)]
    assert "Only the body can read it." in answer.content.decode()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TEXT, "Nothing differs from version 1"),
        ("## 4. Board\n\n4.1 One.\n4.2 Two.", "Line 4: Clause 4.2 follows a line of text."),
    ],
)
def test_a_text_that_is_refused_is_not_lost(
    bylaws: Bylaws, directors: list[User], text: str, told: str
) -> None:
    answer = sign_in(directors[0]).post(NEW, WORDS | {"text": text})
    assert answer.status_code == 422
    html = answer.content.decode()
    assert told in html
    assert "## 4. Board" in html


def test_a_stranger_proposes_nothing(
    client: Client, bylaws: Bylaws, board: Body, charlie: User, bob: User
) -> None:
    assert client.get(NEW)["Location"].startswith("/accounts/login/")
    assert sign_in(charlie).get(NEW).status_code == 403
    answer = sign_in(bob).post(NEW, WORDS)  # the hour before the sweep: a role without a seat
    assert "Only those who hold a voting seat" in answer.content.decode()
    assert not Motion.objects.exists()


def test_before_the_first_version_there_is_nothing_to_propose(
    board: Body, directors: list[User]
) -> None:
    make_bylaws(board)
    answer = sign_in(directors[0]).get(NEW, follow=True).content.decode()
    assert "Ask staff to record the first one" in answer


def test_a_draft_is_the_bodys_own(
    client: Client, bylaws: Bylaws, directors: list[User], charlie: User
) -> None:
    draft = make_proposal(bylaws, directors[0])
    page = draft.get_absolute_url()
    assert client.get(page).status_code == 404
    assert sign_in(charlie).get(page).status_code == 404
    assert sign_in(directors[1]).get(page).status_code == 200


def test_a_draft_is_changed_and_changes_the_newest_version_then(
    bylaws: Bylaws, directors: list[User]
) -> None:
    draft = make_proposal(bylaws, directors[0])
    ada, page = sign_in(directors[0]), f"{draft.get_absolute_url()}edit/"
    make_version(bylaws, OTHER, date(2024, 1, 1))
    assert "Version 2 was adopted since" in ada.get(draft.get_absolute_url()).content.decode()
    text = OTHER.replace("one half", "one third")
    ada.post(page, WORDS | {"text": text, "title": "Both"})
    draft.refresh_from_db()
    assert (draft.motion.title, draft.base.number) == ("Both", 2)
    assert ada.post(page, WORDS | {"text": OTHER}).status_code == 422
    refused = sign_in(directors[1]).post(page, WORDS, follow=True).content.decode()
    assert "Only Ada" in refused


def test_everybody_reads_a_discussion_and_a_member_comments_on_a_clause(
    client: Client, proposal: Proposal, directors: list[User], charlie: User
) -> None:
    page = proposal.get_absolute_url()
    html = client.get(page).content.decode()
    assert "<del>half</del><ins>third</ins>" in html
    assert "Sign in to comment" in html
    assert "It is called Example" not in html
    assert "It is called Example" in client.get(f"{page}?all").content.decode()
    bea = sign_in(directors[1])
    answer = bea.post(f"{page}comments/", {"clause": "c4.2", "text": "Say two."}, follow=True)
    comment = ClauseComment.objects.get()
    assert answer.redirect_chain[0][0] == f"{page}#comment-{comment.pk}"
    reply = {"clause": "c4.2", "text": "Why?", "reply_to": comment.pk}
    bea.post(f"{page}comments/", reply)
    html = client.get(page).content.decode()
    assert html.index("Say two.") < html.index("Why?")
    stranger = sign_in(charlie).post(f"{page}comments/", {"clause": "c4.2", "text": "Buy!"})
    assert stranger.status_code == 403
    assert "Members comment" in stranger.content.decode()


@pytest.mark.parametrize(
    ("sent", "status", "told"),
    [
        ({"clause": "c4.2", "text": ""}, 422, "is still empty: fill it in."),
        ({"clause": "c9.9", "text": "Lost?"}, 409, "not in the proposal any more"),
        ({"clause": "c4.2", "text": "Lost?", "reply_to": 99}, 409, "not there any more"),
    ],
)
def test_a_comment_that_is_refused_says_why(
    proposal: Proposal, directors: list[User], sent: dict[str, object], status: int, told: str
) -> None:
    answer = sign_in(directors[1]).post(f"{proposal.get_absolute_url()}comments/", sent)
    assert answer.status_code == status
    assert told in answer.content.decode()
    assert not ClauseComment.objects.exists()


def test_officers_hide_a_comment_and_show_it_again(
    client: Client, proposal: Proposal, directors: list[User], charlie: User
) -> None:
    page = proposal.get_absolute_url()
    sign_in(directors[1]).post(f"{page}comments/", {"clause": "c4.2", "text": "Buy now!"})
    comment = ClauseComment.objects.get()
    hide = f"{page}comments/{comment.pk}/hide/"
    chair = sign_in(directors[0])
    assert "Say why" in chair.post(hide, {"because": ""}, follow=True).content.decode()
    chair.post(hide, {"because": "An advertisement."})
    html = client.get(page).content.decode()
    assert "Hidden by Ada: An advertisement." in html
    assert "Buy now!" not in html
    show = f"{page}comments/{comment.pk}/show/"
    refused = sign_in(charlie).post(show, follow=True).content.decode()
    assert "Staff and the officers" in refused
    chair.post(show)
    assert "Buy now!" in client.get(page).content.decode()


def test_comments_on_clauses_that_are_gone_are_shown_apart(
    client: Client, proposal: Proposal, directors: list[User]
) -> None:
    page = proposal.get_absolute_url()
    sign_in(directors[1]).post(f"{page}comments/", {"clause": "c4.3", "text": "Too long."})
    text = CHANGED.replace("4.3 They serve for two years.\n", "")
    Motion.objects.filter(pk=proposal.motion_id).update(text=text)  # as an amendment does
    assert "On clauses that are gone" in client.get(page).content.decode()
    Motion.objects.filter(pk=proposal.motion_id).update(text="Spoilt.")
    assert "cannot be read" in client.get(page).content.decode()
