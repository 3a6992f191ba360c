"""From the ballot to the receipt in a real browser, with every step that can fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from governance.sealed import board, manifest, wire
from governance.tests import sealed_election as made
from portal.accounts.models import User
from tests.browser import voting_site
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.browser.voting_site import PAGE, Desk
from tests.browser.voting_steps import banner, cast, press, rank, save, trouble, voted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
Opened = Callable[..., Visitor]


def test_a_voter_reviews_saves_the_key_casts_and_has_a_receipt(voter: Visitor, desk: Desk) -> None:
    page = voter.page
    banner(page)
    assert voter.axe() == []
    rank(page, "Candidate 2", "Candidate 0")
    listed = page.locator("[data-vote-lines] li")
    expect(listed).to_have_text(["1. Candidate 2", "2. Candidate 0", "Not ranked: Candidate 1"])
    expect(page.get_by_role("heading", name="This will be sealed")).to_be_focused()
    banner(page)
    assert voter.axe() == []
    press(page, "Cast my ballot")
    expect(page.get_by_role("button", name="Ask for the credential and cast")).to_be_disabled()
    assert (desk.blinded, desk.cast) == ([], [])
    banner(page)
    assert voter.axe() == []
    file = json.loads(save(page).read_text())
    assert (file["format"], file["role"]) == ("foundation-portal recovery 1", "voter")
    press(page, "Ask for the credential and cast")
    voted(page)
    expect(page.get_by_text("Your browser has checked the signature")).to_be_visible()
    assert voter.axe() == []
    assert voter.overflow() == []
    assert desk.papers == [b"\x02\x00"]
    assert desk.cookies == []
    digest = page.locator("[data-vote-digest]").inner_text()
    assert digest == wire.read_ballot(desk.cast[0]).digest
    kept = json.loads(save(page).read_text())
    assert [one["digest"] for one in kept["receipts"]] == [digest]
    assert "draft" not in kept
    assert voter.complaints == []


def test_a_vote_is_changed_without_another_credential(voter: Visitor, desk: Desk) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    cast(page)
    voted(page)
    page.reload()
    voted(page)
    press(page, "Change my vote")
    expect(page.get_by_role("heading", name="Your earlier vote stands")).to_be_visible()
    press(page, "Blank vote")
    expect(page.locator("[data-vote-lines] li")).to_contain_text(["A blank vote"])
    press(page, "Cast my ballot")
    voted(page)
    expect(page.get_by_text("It replaces the ballot that you cast before.")).to_be_visible()
    assert [wire.read_ballot(line).sequence for line in desk.cast] == [1, 2]
    assert desk.papers == [b""]
    assert len(desk.blinded) == 1


def test_a_voter_finds_the_ballot_on_the_board_without_asking_for_it(
    voter: Visitor, desk: Desk
) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    cast(page)
    voted(page)
    press(page, "Look up my ballot")
    expect(page.get_by_text("Your ballot waits for the next block")).to_be_visible()
    box, digest = desk.private.box, wire.read_ballot(desk.cast[0]).digest
    first = board.first_block(made.NAME, manifest.digest(desk.text), ["0" * 64], box)
    desk.blocks[:] = [first, board.next_block(first, [digest, "f" * 64], box)]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    press(page, "Look up my ballot")
    expect(page.get_by_text("on the board, in block 2")).to_be_visible()
    assert not any(digest in url for url in asked)
    assert desk.cookies == []
    broken = replace(desk.blocks[0], ballots=("1" * 64,))
    for blocks in ([broken, desk.blocks[1]], desk.blocks[1:], [desk.blocks[0]] * 2):
        desk.blocks = list(blocks)
        press(page, "Look up my ballot")
        expect(page.get_by_role("alert").filter(has_text="is broken")).to_be_visible()


def test_nothing_is_lost_by_a_reload_between_any_two_steps(voter: Visitor, desk: Desk) -> None:
    page = voter.page
    page.get_by_role("textbox", name="Number for Candidate 1").fill("1")
    page.reload()
    expect(page.get_by_role("textbox", name="Number for Candidate 1")).to_have_value("1")
    press(page, "Review my ballot")
    press(page, "Cast my ballot")
    first = json.loads(save(page).read_text())
    page.reload()
    banner(page)
    press(page, "Review my ballot")
    desk.failures.append(("credential-answer", 503, ""))  # signed, and the answer lost
    cast(page)
    trouble(page, "The registrar does not answer now")
    assert desk.blinded == [first["blinded"]]
    page.reload()
    press(page, "Review my ballot")
    desk.failures.append(("ballots-answer", 503, ""))  # in the box, and the receipt lost
    cast(page)
    trouble(page, "The ballot box does not answer now")
    page.reload()
    trouble(page, "A sealed ballot of yours is kept here, and no receipt")
    press(page, "Send it again")
    voted(page)
    assert len(desk.cast) == 2
    assert desk.cast[0] == desk.cast[1]  # the same ballot, which counts once
    assert desk.papers == [b"\x01"]


@pytest.mark.parametrize(
    ("status", "code", "text"),
    [
        (401, "", "You are signed out"),
        (403, "", "Confirm it with your second factor"),
        (409, "taken", "there is no second credential"),
        (409, "early", "The election is not open yet"),
        (410, "closed", "No credential is given any more"),
        (400, "", "did not understand the question"),
        (500, "", "The registrar does not answer now"),
    ],
)
def test_a_voter_is_told_what_to_do_when_no_credential_comes(
    voter: Visitor, desk: Desk, status: int, code: str, text: str
) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    desk.failures.append(("credential", status, code))
    cast(page)
    trouble(page, text)
    expect(page.get_by_role("link", name="Confirm that it is you")).to_have_count(
        1 if status in {401, 403} else 0
    )
    press(page, "Ask for the credential and cast")  # whatever it was, asking again does no harm
    voted(page)


@pytest.mark.parametrize(
    ("status", "code", "text"),
    [
        (410, "closed", "an earlier one with a receipt counts"),
        (400, "invalid", "The box does not take this ballot"),
        (503, "", "It cannot count twice"),
    ],
)
def test_a_voter_is_told_what_to_do_when_no_receipt_comes(
    voter: Visitor, desk: Desk, status: int, code: str, text: str
) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    desk.failures.append(("ballots", status, code))
    cast(page)
    trouble(page, text)
    press(page, "Send it again")
    voted(page)
    assert desk.papers == [b"\x00"]


def test_a_ballot_from_elsewhere_is_replaced_only_if_the_voter_wants_it(
    voter: Visitor, desk: Desk
) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    desk.failures.append(("ballots", 409, "old"))
    cast(page)
    trouble(page, "The box has a later ballot from you")
    press(page, "Review my ballot")
    press(page, "Cast my ballot")
    voted(page)
    assert wire.read_ballot(desk.cast[0]).sequence == 12


def test_no_connection_is_no_loss(voter: Visitor, desk: Desk) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    press(page, "Cast my ballot")
    save(page)
    page.context.set_offline(True)
    press(page, "Ask for the credential and cast")
    trouble(page, "No connection. Nothing is lost")
    page.context.set_offline(False)
    press(page, "Ask for the credential and cast")
    voted(page)


def test_a_receipt_that_is_none_is_no_vote(voter: Visitor, desk: Desk) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    desk.receipts = lambda *_: bytes(64)
    cast(page)
    trouble(page, "What came back is no good receipt")
    assert json.loads(save(page).read_text())["pending"]["answer"]["receipt"] == "A" * 86


def test_a_registrar_that_answers_something_else_gets_no_ballot(
    voter: Visitor, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    monkeypatch.setattr("governance.sealed.blind.sign", lambda *_: b"\x01" * 384)
    cast(page)
    trouble(page, "not a signature of the registrar")
    assert desk.cast == []


def test_a_page_with_other_names_than_the_manifest_is_not_voted_on(
    voter: Visitor, desk: Desk
) -> None:
    page = voter.page
    page.evaluate("document.querySelector('[data-place]').dataset.name = 'Mallory'")
    rank(page, "Candidate 0")
    trouble(page, "other candidates than the manifest")
    expect(page.get_by_role("button", name="Cast my ballot")).to_be_hidden()


def test_a_manifest_that_is_not_the_one_of_the_page_is_not_voted_by(
    voter: Visitor, desk: Desk
) -> None:
    desk.text += b" "
    rank(voter.page, "Candidate 0")
    trouble(voter.page, "this is another manifest")


def test_the_key_is_removed_from_a_browser_on_request(voter: Visitor, desk: Desk) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    cast(page)
    voted(page)
    page.get_by_text("What this browser keeps").click()
    press(page, "Remove all from this browser")
    press(page, "Remove it")
    banner(page)
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.parametrize(("method", "paper"), [("schulze", b"\xff\x01\x00"), ("approval", b"\x01")])
def test_other_methods_are_cast_as_they_are_counted(
    visit: Visit, alice: User, settings: Settings, method: str, paper: bytes
) -> None:
    settings.ROOT_URLCONF = "tests.browser.voting_site"
    desk = Desk(method=method)
    voting_site.DESK[:] = [desk]
    visitor = visit(user=alice)
    visitor.open(PAGE)
    page = visitor.page
    if method == "schulze":
        page.get_by_role("checkbox", name="No opinion of Candidate 2").check()
        rank(page, "Candidate 1")
        expect(page.locator("[data-vote-lines]")).to_contain_text("No opinion: Candidate 2")
    else:
        page.get_by_role("checkbox", name="Candidate 1").check()
        press(page, "Review my ballot")
        expect(page.locator("[data-vote-lines]")).to_contain_text("Not marked: Candidate 0")
    cast(page)
    voted(page)
    assert desk.papers == [paper]
