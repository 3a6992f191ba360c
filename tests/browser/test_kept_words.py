"""What somebody types in a discussion or a vote survives a reload and a lost session."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from governance.models import Body, Motion, MotionComment
from governance.tests.bylaws import make_bylaws, make_version
from governance.tests.conftest import board, directors, discussed, motion
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.news.tests.rows import written
from tests.browser.conftest import Visit
from tests.cast import make_person, sign_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
__all__ = ["board", "directors", "discussed", "motion"]
BACK = "What you wrote here before is back."


def test_a_comment_survives_a_lost_session_and_is_forgotten_once_it_is_public(
    visit: Visit, discussed: Motion, directors: list[User]
) -> None:
    visitor = visit(user=directors[1], width=360)
    page = visitor.page
    visitor.open(discussed.get_absolute_url())
    page.get_by_role("textbox", name="Your comment").fill("Two are dear.")
    page.reload()
    expect(page.get_by_text(BACK).locator("visible=true")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Your comment")).to_have_value("Two are dear.")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Say it").click()
    expect(page).to_have_url(
        re.compile(r"/accounts/login/\?next=%2Fgovernance%2Fmotions%2F[\w-]+%2F(#say)?$")
    )
    cookies = sign_in(directors[1]).cookies
    visitor.sign_in({"sessionid": cookies["sessionid"].value})
    visitor.open(discussed.get_absolute_url())
    expect(page.get_by_role("textbox", name="Your comment")).to_have_value("Two are dear.")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator(".comment")).to_contain_text("Two are dear.")
    expect(page.get_by_role("textbox", name="Your comment")).to_have_value("")
    assert MotionComment.objects.count() == 1
    assert visitor.overflow() == []
    assert visitor.axe() == []


def test_words_do_not_come_back_to_somebody_else_in_the_same_tab(
    visit: Visit, discussed: Motion, directors: list[User]
) -> None:
    visitor = visit(user=directors[1], width=360)
    visitor.open(discussed.get_absolute_url())
    visitor.page.get_by_role("textbox", name="Your comment").fill("Between us.")
    visitor.sign_in({"sessionid": sign_in(directors[2]).cookies["sessionid"].value})
    visitor.open(discussed.get_absolute_url())
    expect(visitor.page.get_by_role("textbox", name="Your comment")).to_have_value("")


def test_a_reason_for_a_vote_is_still_there_after_the_review(
    visit: Visit, motion: Motion, directors: list[User]
) -> None:
    visitor = visit(user=directors[1], width=360)
    page = visitor.page
    visitor.open(motion.get_absolute_url())
    page.get_by_label("Recuse").check()
    page.get_by_label("Reason").fill("My employer sells it.")
    page.get_by_role("button", name="Review my vote").click()
    page.get_by_role("link", name="Go back").click()
    expect(page.get_by_label("Recuse")).to_be_checked()
    expect(page.get_by_label("Reason")).to_have_value("My employer sells it.")
    page.get_by_role("button", name="Review my vote").click()
    page.get_by_role("button", name="Cast my vote").click()
    expect(page.get_by_text("You voted: Recuse").first).to_be_visible()
    expect(page.get_by_text(BACK).locator("visible=true")).to_have_count(0)


def test_a_saved_text_of_the_news_is_not_offered_as_unsaved(
    visit: Visit,
) -> None:
    heidi = make_person("heidi", (Role.EDITOR, Scope.FOUNDATION, ""))
    visitor = visit(user=heidi)
    page = visitor.page
    visitor.open(written().desk_url)
    for words in ("One.", "One and two."):
        page.locator("textarea[name=body]").fill(words)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved as version")).to_be_visible()
        expect(page.locator("textarea[name=body]")).to_have_value(words)
        expect(page.get_by_text(BACK).locator("visible=true")).to_have_count(0)


def test_a_clause_comes_back_and_only_its_article_opens(
    visit: Visit, board: Body, directors: list[User]
) -> None:
    make_version(make_bylaws(board))
    visitor = visit(user=directors[0], width=360)
    page = visitor.page
    visitor.open("/governance/bylaws/foundation/propose/")
    page.locator("summary", has_text="4. Board").click()
    page.get_by_label("Clause 4.2").fill("4.2 No more than one third may come from one company.")
    page.reload()
    expect(page.get_by_label("Clause 4.2")).to_have_value(re.compile("one third"))
    expect(page.locator("details.pieces[open] summary")).to_have_text(["4. Board"])
    page.get_by_label("Title").fill("One third")
    page.get_by_label("Summary").fill("Fewer from one company.")
    page.get_by_role("button", name="Keep the draft").click()
    expect(page.get_by_text("The draft is kept.")).to_be_visible()
    assert "one third" in Motion.objects.get().text
    assert visitor.overflow() == []
    assert visitor.axe() == []
