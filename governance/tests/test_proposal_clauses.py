"""A proposal that is written clause by clause, as on a phone; no script is needed."""

import html
import re
from datetime import date

import pytest

from governance.models import Body, Bylaws, Proposal
from governance.tests.bylaws import CHANGED, TEXT, make_bylaws, make_proposal, make_version
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
NEW = "/governance/bylaws/foundation/propose/"
BOARD = "4. Board"
WORDS = {"title": "One third at most", "summary": "Fewer from one company.", "by": "clauses"}


@shared
def bylaws(board: Body) -> Bylaws:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    return bylaws


def fields(page: str) -> dict[str, str]:
    """What a browser would send of the pieces, as they stand in the page."""
    [places] = re.findall(r'name="places" value="([^"]*)"', page)
    areas = re.findall(r'<textarea name="(at-[^"]+)"[^>]*>\s?(.*?)</textarea>', page, re.S)
    return {"places": places} | {name: html.unescape(text).strip() for name, text in areas}


def opened(page: str) -> list[str]:
    """The articles that stand open."""
    return re.findall(r'<details class="pieces" open><summary class="plain">([^<]+)<', page)


def test_one_clause_is_changed_and_the_rest_stays(bylaws: Bylaws, directors: list[User]) -> None:
    ada = sign_in(directors[0])
    page = ada.get(NEW).content.decode()
    sent = fields(page)
    assert sent["places"] == "a1 c1 more-1 a4 c4.1 c4.2 c4.3 more-4 more"
    assert opened(page) == []
    sent["at-c4.2"] = sent["at-c4.2"].replace("half", "third")
    preview = ada.post(NEW, WORDS | sent | {"preview": "yes"}).content.decode()
    assert "<del>half</del><ins>third</ins>" in preview
    assert opened(preview) == [BOARD]
    assert not Proposal.objects.exists()
    answer = ada.post(NEW, WORDS | sent, follow=True)
    assert "The draft is kept." in answer.content.decode()
    assert Proposal.objects.get().motion.text == CHANGED


def test_lines_of_the_adopted_text_do_not_show_and_stay_where_nothing_changed(
    bylaws: Bylaws, directors: list[User]
) -> None:
    wrapped = TEXT.replace("has seven", "has\nseven").replace("come form", "come\nform")
    make_version(bylaws, wrapped, date(2024, 1, 1))
    ada = sign_in(directors[0])
    sent = fields(ada.get(NEW).content.decode())
    assert sent["at-c4.1"] == "4.1 The board has seven directors."
    sent["at-c4.2"] = sent["at-c4.2"].replace("half", "third")
    ada.post(NEW, WORDS | sent)
    proposal = Proposal.objects.get()
    assert proposal.motion.text == CHANGED.replace("has seven", "has\nseven")
    again = fields(ada.get(f"{proposal.get_absolute_url()}edit/").content.decode())
    ada.post(f"{proposal.get_absolute_url()}edit/", WORDS | again)
    proposal.motion.refresh_from_db()
    assert proposal.motion.text == CHANGED.replace("has seven", "has\nseven")


def test_clauses_and_articles_come_and_go(bylaws: Bylaws, directors: list[User]) -> None:
    ada = sign_in(directors[0])
    sent = fields(ada.get(NEW).content.decode())
    sent |= {"at-c4.3": "", "at-more-4": "4.4 They are paid\r\nnothing.", "at-a1": "## 1. Its name"}
    sent["at-more"] = "## 5. End\r\n\r\n5.1 It ends."
    ada.post(NEW, WORDS | sent)
    text = Proposal.objects.get().motion.text
    assert text.startswith("## 1. Its name\n\nIt is called Example.\n")
    assert text.endswith("4.4 They are paid\nnothing.\n\n## 5. End\n\n5.1 It ends.\n")
    assert "4.3" not in text


@pytest.mark.parametrize(
    ("name", "typed", "told", "article"),
    [
        ("at-more-4", "No number.", "Begin with the number of the clause, such as “4.4”.", BOARD),
        ("at-c4.2", "No number.", "Begin with the number of the clause, such as “4.2”.", BOARD),
        ("at-a4", "Board", "Begin with a line such as “## 4. The board”.", "Board"),
        ("at-c4.2", "4.2 One.\n4.5 Two.", "Line 2: Clause 4.5 follows a line of text.", BOARD),
        ("at-c4.3", "4.2 Again.", "Line 1: The number 4.2 was used before.", BOARD),
        ("at-more", "## 4. Board", "Line 1: The number 4 was used before.", "Something new"),
    ],
)
def test_what_cannot_be_read_is_told_at_its_piece_which_stands_open(
    bylaws: Bylaws, directors: list[User], name: str, typed: str, told: str, article: str
) -> None:
    ada = sign_in(directors[0])
    answer = ada.post(NEW, WORDS | fields(ada.get(NEW).content.decode()) | {name: typed})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert told in page.partition(f'name="{name}"')[2].partition("</div>")[0]
    assert fields(page)[name] == typed
    assert opened(page) == [article]


@pytest.mark.parametrize("places", ["", "x y ../ a1b2c3", "more"])
def test_pieces_that_make_no_text_are_refused(
    bylaws: Bylaws, directors: list[User], places: str
) -> None:
    answer = sign_in(directors[0]).post(NEW, WORDS | {"places": places})
    assert answer.status_code == 422
    assert not Proposal.objects.exists()


def test_nothing_changed_is_said_above_the_form(bylaws: Bylaws, directors: list[User]) -> None:
    ada = sign_in(directors[0])
    answer = ada.post(NEW, WORDS | fields(ada.get(NEW).content.decode()))
    assert answer.status_code == 422
    assert "Nothing differs from version 1" in answer.content.decode()


def test_turning_to_one_text_and_back_keeps_what_was_typed(
    bylaws: Bylaws, directors: list[User]
) -> None:
    ada = sign_in(directors[0])
    sent = fields(ada.get(NEW).content.decode())
    sent["at-c4.2"] = sent["at-c4.2"].replace("half", "third")
    turn = {"turn": "yes", "title": "", "summary": "Half done", "by": "clauses"}
    turned = ada.post(NEW, sent | turn)
    assert turned.status_code == 200
    assert turned.context["form"].initial["text"] == CHANGED
    page = turned.content.decode()
    assert "Half done" in page
    assert "data-refused" in page  # the copy that the browser keeps must not come over it
    back = ada.post(NEW, turn | {"by": "text", "text": CHANGED}).content.decode()
    assert "one third" in fields(back)["at-c4.2"]
    assert opened(back) == [BOARD]
    spoilt = ada.post(NEW, turn | {"by": "text", "text": "4.1 No article."})
    assert spoilt.status_code == 422
    assert "4.1 No article." in spoilt.content.decode()


def test_a_draft_is_changed_by_clause_and_shows_what_differs(
    bylaws: Bylaws, directors: list[User]
) -> None:
    proposal = make_proposal(bylaws, directors[0])
    ada, edit = sign_in(directors[0]), f"{proposal.get_absolute_url()}edit/"
    page = ada.get(edit).content.decode()
    assert opened(page) == [BOARD]
    sent = fields(page)
    assert "one third" in sent["at-c4.2"]
    sent["at-c4.3"] = "4.3 They serve for three years."
    ada.post(edit, WORDS | sent)
    proposal.motion.refresh_from_db()
    assert proposal.motion.text == CHANGED.replace("two years", "three years")


def test_who_asks_for_one_text_or_has_one_that_cannot_be_read_gets_it(
    bylaws: Bylaws, directors: list[User]
) -> None:
    ada = sign_in(directors[0])
    assert ada.get(f"{NEW}?by=text").context["form"].initial["text"] == TEXT
    proposal = make_proposal(bylaws, directors[0])
    proposal.motion.text = "Words without an article."
    proposal.motion.save()
    page = ada.get(f"{proposal.get_absolute_url()}edit/").content.decode()
    assert "Words without an article." in page
