"""Directors amend a motion on a phone, from the draft to the words that are voted on.

A browser ends the lines of a text with CR LF. What Django's test client sends has LF alone, so
only here does a passage of two lines have to be found in a text that was typed.
"""

import re

import pytest
from playwright.sync_api import expect

from governance.models import Amendment, Body, Motion
from governance.tests.conftest import board, directors
from portal.accounts.models import User
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
__all__ = ["board", "directors"]
TEXT = "The board resolves that\n\n1. each build has checksums;\n2. they are signed in 30 days."


def test_a_passage_of_two_lines_is_chosen_changed_and_accepted(
    visit: Visit, board: Body, directors: list[User]
) -> None:
    ada, bea, cyd = (visit(user=person, width=360) for person in directors[:3])
    motion = discussed(ada, bea)
    proposed(cyd, motion)
    ada.open(motion)
    ada.page.get_by_role("button", name=re.compile("^Accept")).click()
    expect(ada.page.get_by_text("The amendment is part of the text now.")).to_be_visible()
    assert Motion.objects.get().text == TEXT.replace("30 days", "7 days")
    assert Amendment.objects.get().state == Amendment.State.ACCEPTED
    cyd.open(motion)
    expect(cyd.page.get_by_text("they are signed in 7 days.").first).to_be_visible()
    for window in (ada, bea, cyd):
        assert window.overflow() == []
        window.assert_clean()


def discussed(author: Visitor, other: Visitor) -> str:
    """Typed, seconded, put before everybody; the path of its page."""
    author.open("/governance/motions/new/")
    page = author.page
    page.get_by_label("Title").fill("Publish checksums with each build")
    page.get_by_label("Summary").fill("A file of checksums beside every build.")
    page.get_by_label(re.compile("^Text")).fill(TEXT)
    page.get_by_role("button", name="Keep the draft").click()
    expect(page.get_by_text("Only the body can read it.")).to_be_visible()
    motion = page.url.removeprefix(author.base)
    other.open(motion)
    other.page.get_by_role("button", name="Second it").click()
    author.open(motion)
    page.get_by_role("button", name="Open the discussion").click()
    expect(page.get_by_text("Everybody can read the motion now.")).to_be_visible()
    return motion


def proposed(director: Visitor, motion: str) -> None:
    """The second paragraph is chosen, written on, looked at and sent."""
    director.open(motion)
    page = director.page
    page.get_by_role("link", name="Propose an amendment").click()
    page.get_by_role("link", name="Change this").nth(1).click()
    words = page.get_by_label(re.compile("^New text"))
    words.fill(words.input_value().replace("30 days", "7 days"))
    page.get_by_label("Reason").fill("Thirty days are too long.")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview del")).to_have_text("30")
    page.get_by_role("button", name="Propose it").click()
    expect(page.get_by_text("Your amendment stands below.")).to_be_visible()
    assert page.url.endswith("#amendment-1")
