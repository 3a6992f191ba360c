"""A vote goes on in another browser, or in the program `vote.py`, and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from governance.voting import vote
from portal.accounts.models import User
from tests.browser import voting_site
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.browser.voting_site import PAGE, Desk
from tests.browser.voting_steps import banner, cast, press, rank, save, trouble, voted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
Opened = Callable[..., Visitor]


def test_the_recovery_file_goes_on_in_another_browser(
    voter: Visitor, visit: Visit, alice: User, desk: Desk, tmp_path: Path
) -> None:
    page = voter.page
    rank(page, "Candidate 0")
    cast(page)
    voted(page)
    file = tmp_path / "ballot.json"
    file.write_bytes(save(page).read_bytes())
    other = visit(user=alice)
    other.open(PAGE)
    banner(other.page)
    other.page.get_by_text("What this browser keeps").click()
    strange = tmp_path / "strange.json"
    strange.write_text(file.read_text().replace(voting_site.CONTEST, "2026-board/others"))
    for path, text in ((strange, "is of another election"), (Path(__file__), "no recovery file")):
        other.page.get_by_label("Load a recovery file").set_input_files(path)
        trouble(other.page, text)
    other.page.get_by_label("Load a recovery file").set_input_files(file)
    voted(other.page)
    press(other.page, "Change my vote")
    rank(other.page, "Candidate 2")
    press(other.page, "Cast my ballot")
    voted(other.page)
    assert desk.papers == [b"\x02"]
    assert len(desk.blinded) == 1


def test_another_browser_does_not_say_that_who_voted_has_not(
    voter: Visitor, visit: Visit, alice: User, desk: Desk, tmp_path: Path
) -> None:
    desk.is_told = True
    rank(voter.page, "Candidate 0")
    press(voter.page, "Cast my ballot")
    file = tmp_path / "ballot.json"
    file.write_bytes(save(voter.page).read_bytes())  # before the credential and the receipt
    press(voter.page, "Ask for the credential and cast")
    voted(voter.page)
    other = visit(user=alice)
    other.open(PAGE)
    expect(other.page.get_by_role("heading", name="You began in another browser")).to_be_visible()
    expect(other.page.get_by_text("load its recovery file below")).to_be_visible()
    other.page.locator("#vote-file").set_input_files(file)
    said = other.page.get_by_role("heading", name="There is no receipt of a vote here yet")
    expect(said).to_be_visible()
    voter.page.reload()
    voted(voter.page)


def test_a_voter_goes_from_the_browser_to_the_program_and_back(
    voter: Visitor, desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, file, text = voter.page, tmp_path / "vote.json", tmp_path / "manifest.json"
    text.write_bytes(desk.text)
    url = f"{voter.base}/test-election/ballots/"
    common = ["--manifest", str(text), "--file", str(file)]
    assert vote.main(["key", *common, "--contest", voting_site.CONTEST, "--number", "1"]) == 0
    page.get_by_text("Vote with vote.py").click()
    page.get_by_label("What vote.py printed").fill(capsys.readouterr().out.splitlines()[-1])
    press(page, "Ask for the credential")
    answer = page.locator("[data-client-answer]")
    expect(answer).not_to_have_text("—")
    told = ["--answer", answer.inner_text()]
    assert vote.main(["ballot", *common, *told, "Candidate 1"]) == 0
    assert vote.main(["cast", *common, "--url", url]) == 0
    assert desk.papers == [b"\x01"]
    page.get_by_text("What this browser keeps").click()
    page.get_by_label("Load a recovery file").set_input_files(file)
    voted(page)
    press(page, "Change my vote")
    rank(page, "Candidate 2")
    press(page, "Cast my ballot")
    expect(page.get_by_text("It replaces the ballot")).to_be_visible()
    assert desk.papers == [b"\x02"]
    page.get_by_text("What this browser keeps").click()
    file.write_bytes(save(page).read_bytes())
    assert vote.main(["ballot", *common, "--blank"]) == 0
    assert vote.main(["cast", *common, "--url", url]) == 0
    assert desk.papers == [b""]
    assert len(desk.blinded) == 1
