"""A confidential vote in a real browser: review, cast, receipt, change, the line on the sheet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from governance import clock
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.models import Body, Election
from governance.recount.program import AGREES, DIFFERS, main
from governance.tests import elections as made
from governance.tests.conftest import FOUNDED, HOUR
from governance.tests.test_confidential import NOBODY, frozen
from portal.accounts.models import User
from tests.browser.conftest import Visit
from tests.browser.voting_steps import press

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
HERE = "/governance/elections/2026-board/"


@pytest.fixture
def election(db: None) -> Election:
    board = Body.objects.create(
        slug="board", name="Board", kind="board", purpose="Decides.", since=FOUNDED
    )
    found = made.make_election(board, made.make_officer(), level="confidential")
    people = [made.make_contributor(name) for name in ("cora", "carl", "cleo")]
    _, owner = made.make_member("Acme")
    _, other = made.make_member("Beta")
    made.put_forward(found, "contributors", people[0], seconded_by=people[1])
    made.put_forward(found, "contributors", people[1], seconded_by=people[2])
    made.put_forward(found, "members", owner, seconded_by=other)
    return made.draw(found)


def test_a_confidential_vote_from_the_ballot_to_the_sheet(
    visit: Visit,
    election: Election,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ceremony = frozen(election, User.objects.get(name="Olga"))
    monkeypatch.setattr(clock, "now", lambda at=None: at or made.OPENS + HOUR)
    voter = visit(user=User.objects.get(name="Cora"), width=360)
    voter.open(f"{HERE}vote/")
    page = voter.page
    expect(page.get_by_role("heading", name="You have not voted yet")).to_be_visible()
    expect(page.get_by_text("you trust who runs the portal")).to_be_visible()
    assert (voter.axe(), voter.overflow()) == ([], [])
    press(page, "Review my ballot")
    expect(page.get_by_text("Nothing is chosen yet").last).to_be_visible()
    page.get_by_role("button", name="Up: Carl").press("Enter")
    press(page, "Review my ballot")
    expect(page.get_by_text("1. Carl")).to_be_visible()
    expect(page.get_by_role("heading", name="You have not voted yet")).to_be_visible()
    offered = page.get_by_label("Words of your own").input_value()
    assert len(offered) == 22  # 16 bytes that the browser drew
    assert (voter.axe(), voter.overflow()) == ([], [])
    press(page, "Go back and change it")
    expect(page.get_by_role("textbox", name="Number for Carl")).to_have_value("1")
    press(page, "Review my ballot")
    press(page, "Cast my ballot")
    expect(page.get_by_role("heading", name="You have voted")).to_be_visible()
    assert (voter.axe(), voter.overflow()) == ([], [])
    replaced = page.locator("code", has_text="foundation-portal receipt").inner_text()

    page.get_by_role("link", name="Look at my vote or change it").press("Enter")
    expect(page.get_by_text("This is how your vote stands.")).to_be_visible()
    expect(page.get_by_text("1. Carl")).to_be_visible()
    assert (voter.axe(), voter.overflow()) == ([], [])
    page.get_by_role("textbox", name="Number for Carl").fill("2")
    page.get_by_role("textbox", name="Number for Cora").fill("1")
    press(page, "Review my ballot")
    expect(page.get_by_role("heading", name="Your earlier vote stands")).to_be_visible()
    page.get_by_label("Words of your own").fill("a red door, twelve cups")
    press(page, "Cast my ballot")
    expect(page.get_by_text("It replaces the ballot that you cast before")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the receipt").press("Enter")
    assert saved.value.suggested_filename == "receipt-2026-board-contributors.json"
    record = saved.value.path().read_text()
    assert json.loads(record)["words"] == "a red door, twelve cups"

    monkeypatch.setattr(clock, "now", lambda at=None: at or made.CLOSES)
    assert close_due(box=NOBODY, at=made.CLOSES) == 1
    ceremony.election.refresh_from_db()
    ceremony.tell(at=made.CLOSES)
    assert count_due(registrar=NOBODY, box=NOBODY, at=made.CLOSES) == 1
    stranger = visit(width=360, theme="dark")
    stranger.open(f"{HERE}result/")
    found = stranger.page
    found.get_by_label("Name of your line").fill(json.loads(record)["digest"])
    press(found, "Look it up")
    expect(found.get_by_text("This line is on the sheet, and was counted:")).to_be_visible()
    expect(found.get_by_text("1. Cora")).to_be_visible()
    assert (stranger.axe(), stranger.overflow()) == ([], [])
    stranger.open(f"{HERE}manifest/")
    expect(found.get_by_role("heading", name="What is fixed")).to_be_visible()
    found.get_by_text("Public keys").click()
    assert (stranger.axe(), stranger.overflow()) == ([], [])
    for window in (voter, stranger):
        assert window.complaints == []

    packed, receipt = tmp_path / "2026-board.zip", tmp_path / "receipt.json"
    packed.write_bytes(bytes(Election.objects.get().count.bundle))
    receipt.write_text(record)
    assert main([str(packed), "--receipt", str(receipt)]) == AGREES
    assert "of this receipt; its paper: " in capsys.readouterr().out
    receipt.write_text(replaced)
    assert main([str(packed), "--receipt", str(receipt)]) == DIFFERS
