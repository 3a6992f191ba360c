"""The ballot in a browser: numbers and buttons, what is wrong beside its box, each change said."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
BOB = "Bob Hammerschmidt-Ostergaard"


def ballot(visitor: Visitor, name: str) -> Locator:
    visitor.open("/styleguide/")
    return visitor.page.get_by_role("form", name=f"Ballot: {name}", exact=True)


def number(form: Locator, name: str) -> Locator:
    return form.get_by_role("textbox", name=f"Number for {name}", exact=True)


def said(form: Locator) -> Locator:
    return form.get_by_role("status")


def problems(form: Locator, text: str) -> Locator:
    return form.locator("[data-problem]", has_text=text)


def press(form: Locator, name: str) -> None:
    form.get_by_role("button", name=name, exact=True).press("Enter")


def numbers(form: Locator) -> dict[str, str]:
    names = ["Charlie", "Alice", BOB, "Dana"]
    return {name: number(form, name).input_value() for name in names}


def test_a_number_that_is_given_twice_is_named_and_kept(visit: Visit) -> None:
    form = ballot(visit(), "ranked")
    expect(form.get_by_text(f"{BOB} has 2 too.")).to_be_visible()
    expect(form.get_by_text("Alice has 2 too.")).to_be_visible()
    assert number(form, "Alice").get_attribute("aria-invalid") == "true"
    expect(number(form, "Alice")).to_have_accessible_description(
        f"{BOB} has 2 too. Give each number once."
    )
    press(form, "Review my ballot")
    expect(number(form, "Alice")).to_be_focused()
    expect(said(form)).to_contain_text("Correct this first. Alice")
    press(form, f"Up: {BOB}")  # which of the two is meant is the voter's to say
    expect(said(form)).to_contain_text("Correct this first")
    assert numbers(form) == {"Charlie": "1", "Alice": "2", BOB: "2", "Dana": ""}
    number(form, BOB).fill("3")
    expect(problems(form, "has 2 too.")).to_have_count(0)
    assert number(form, "Alice").get_attribute("aria-invalid") == "false"


def test_buttons_and_numbers_do_the_same_and_say_what_is_now(visit: Visit) -> None:
    visitor = visit(width=320)
    form = ballot(visitor, "ranked")
    number(form, BOB).fill("3")
    number(form, BOB).press("Tab")
    expect(said(form)).to_have_text(f"{BOB} is now 3rd of 3 ranked.")
    press(form, f"Up: {BOB}")
    expect(said(form)).to_have_text(f"{BOB} is now 2nd of 3 ranked.")
    expect(form.get_by_role("button", name=f"Up: {BOB}")).to_be_focused()
    press(form, f"Up: {BOB}")
    press(form, f"Up: {BOB}")
    expect(said(form)).to_have_text(f"{BOB} is first already.")
    press(form, "Up: Dana")
    expect(said(form)).to_have_text("Dana is now 4th of 4 ranked.")
    press(form, "Down: Alice")
    press(form, "Down: Alice")
    expect(said(form)).to_have_text("Alice is not ranked.")
    press(form, "Down: Alice")
    expect(said(form)).to_contain_text("cannot go down")
    assert numbers(form) == {BOB: "1", "Charlie": "2", "Dana": "3", "Alice": ""}
    expect(form.get_by_role("heading").first).to_have_text(BOB)
    assert visitor.overflow() == []
    assert visitor.complaints == []


def test_a_gap_is_named_when_the_review_is_asked_for_and_closed_on_request(visit: Visit) -> None:
    form = ballot(visit(width=360), "ranked")
    number(form, BOB).fill("4")
    gap = problems(form, "Nobody has 3.")
    expect(gap).to_have_count(0)
    press(form, "Review my ballot")
    expect(gap).to_be_visible()
    expect(number(form, BOB)).to_be_focused()
    press(form, "Close the gaps")
    assert numbers(form) == {"Charlie": "1", "Alice": "2", BOB: "3", "Dana": ""}
    expect(gap).to_have_count(0)


@pytest.mark.parametrize("text", ["5", "0", "x", "1.5", "-1"])
def test_what_is_no_number_of_a_candidate_is_named(visit: Visit, text: str) -> None:
    form = ballot(visit(), "ranked")
    number(form, BOB).fill(text)
    expect(form.get_by_text("Write a number from 1 to 4, or leave it empty.")).to_be_visible()


def test_nothing_chosen_is_no_ballot_but_a_blank_vote_can_be_asked_for(visit: Visit) -> None:
    visitor = visit()
    form = ballot(visitor, "ranked")
    press(form, "Clear")
    expect(said(form)).to_have_text("The ballot is empty.")
    press(form, "Review my ballot")
    expect(form.get_by_text("or cast a blank vote: it takes part").last).to_be_visible()
    expect(visitor.page).to_have_url(f"{visitor.base}/styleguide/")
    with visitor.page.expect_request(lambda request: request.method == "POST") as sent:
        form.get_by_role("button", name="Blank vote").click()
    assert "vote=blank" in (sent.value.post_data or "")


def test_equal_ranks_and_no_opinion_are_said(visit: Visit) -> None:
    form = ballot(visit(), "compared")
    press(form, "Up: Dana")
    expect(said(form)).to_have_text("Dana now has rank 2.")
    press(form, "Up: Dana")
    expect(said(form)).to_have_text("Dana now has rank 1, together with Charlie, Alice.")
    form.get_by_role("checkbox", name="No opinion of Dana").press("Space")
    expect(said(form)).to_have_text("You say nothing about Dana.")
    expect(number(form, "Dana")).to_be_disabled()
    expect(form.get_by_text("You ranked 2 of 4; no opinion of 2.")).to_be_visible()
    form.get_by_role("checkbox", name="No opinion of Dana").press("Space")
    expect(number(form, "Dana")).to_have_value("1")  # what was typed is there again


def test_more_marks_than_seats_are_named_and_stay(visit: Visit) -> None:
    form = ballot(visit(), "marked")
    expect(form.get_by_text("You marked 3, and 2 can be elected.")).to_be_visible()
    press(form, "Review my ballot")
    expect(form.get_by_role("checkbox", name=BOB)).to_be_focused()
    form.get_by_role("checkbox", name="Alice").press("Space")
    expect(said(form)).to_have_text("Alice is not marked. Marked: 2.")
    expect(form.get_by_text("You marked 3, and")).to_have_count(0)
